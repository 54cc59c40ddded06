// Reads the result of an operation in the form that the contract gives it.
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import type { OpenResponse } from '../http/open-response.js';
import { Lines } from './lines.js';
import type { Operation } from './operation.js';
import { nextQuery, type Page } from './page.js';

/** Reads the whole body, except that of lines, which the caller reads. */
export async function readResult(operation: Operation, open: OpenResponse): Promise<unknown> {
  switch (operation.result) {
    case 'lines':
      return new Lines(open, (line) => parse(line, operation));
    case 'page':
      return readPage(operation, open);
    case 'json':
      return parse(await open.text(), operation);
    case 'text':
      return open.text();
    case 'none':
      await open.text();
      return undefined;
  }
}

async function readPage(operation: Operation, open: OpenResponse): Promise<Page<unknown, unknown>> {
  const entries = parse(await open.text(), operation);
  if (!Array.isArray(entries)) throw unexpected(operation, 'is not an array');
  const marker = open.response.headers.get('landfall-marker') ?? undefined;
  return { entries, next: nextQuery(open.response), marker };
}

function parse(text: string, operation: Operation): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unexpected(operation, 'is not JSON', error);
  }
}

function unexpected({ operationId }: Operation, what: string, cause?: unknown) {
  const message = `the response to ${operationId} ${what}: is this the address of a Landfall service?`;
  return new UnexpectedResponseError(message, { cause });
}
