// The forms of results. Each is a constant of its own: a bundle contains only those that its operations name.
import { ConnectionError } from '../errors/connection-error.js';
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import type { OpenResponse } from '../http/open-response.js';
import { Lines } from './lines.js';
import { nextQuery } from './page.js';

/** How the result of an operation is read. */
export type ResultForm = {
  readonly contentType: string;
  /** Reads the whole body, except that of lines, which the caller reads. */
  read(open: OpenResponse, operationId: string): Promise<unknown>;
};

export const jsonResult: ResultForm = {
  contentType: 'application/json',
  read: async (open, operationId) => parse(await open.text(), operationId),
};

/** An array, and whether more follows. */
export const pageResult: ResultForm = {
  contentType: 'application/json',
  read: async (open, operationId) => {
    const entries = parse(await open.text(), operationId);
    if (!Array.isArray(entries)) throw unexpected(operationId, 'is not an array');
    checkCount(open.response, entries.length, operationId);
    const marker = open.response.headers.get('landfall-marker') ?? undefined;
    return { entries, next: nextQuery(open.response), marker };
  },
};

/** A page says how many entries it has. One with another number was cut, or changed, between the service and here. */
function checkCount({ headers }: Response, received: number, operationId: string): void {
  const count = Number(headers.get('landfall-count') ?? received);
  if (count === received) return;
  throw new ConnectionError(
    `the response to ${operationId} was cut: ${received} of ${count} entries have arrived`,
  );
}

/** Any number of lines, each a JSON object, read as they come. */
export const linesResult: ResultForm = {
  contentType: 'application/x-ndjson',
  read: async (open, operationId) => new Lines(open, (line) => parse(line, operationId)),
};

export const textResult: ResultForm = {
  contentType: 'text/plain',
  read: (open) => open.text(),
};

export const emptyResult: ResultForm = {
  contentType: '*/*',
  read: async (open) => {
    await open.text();
  },
};

function parse(text: string, operationId: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unexpected(operationId, 'is not JSON', error);
  }
}

function unexpected(operationId: string, what: string, cause?: unknown) {
  const message = `the response to ${operationId} ${what}: is this the address of a Landfall service?`;
  return new UnexpectedResponseError(message, { cause });
}
