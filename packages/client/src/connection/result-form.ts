// The forms of results. Each is a constant of its own: a bundle contains only those that its operations name.
import { ConnectionError } from '../errors/connection-error.js';
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import type { CollectedResponse, OpenResponse } from '../http/open-response.js';
import { Lines } from './lines.js';
import { nextQuery } from './page.js';

/** How the result of an operation is read: collected, or streamed. */
export type ResultForm = {
  readonly contentType: string;
  /** The preference (RFC 7240) that makes the service mark the end of the body. */
  readonly prefer?: string;
} & (
  | {
      /** Reads the whole body, within the limits of time and size. */
      readonly read: (open: CollectedResponse, operationId: string) => Promise<unknown>;
    }
  | {
      /** Opens the body, which the caller reads as it comes. */
      readonly stream: (open: OpenResponse, operationId: string) => unknown;
    }
);

export const jsonResult: ResultForm = {
  contentType: 'application/json',
  read: async (open, operationId) => {
    const value = parse(await open.text(), operationId);
    if (!hasObjects([value].flat())) throw unexpected(operationId, 'has no object');
    return value;
  },
};

/** An array, and whether more follows. */
export const pageResult: ResultForm = {
  contentType: 'application/json',
  read: async (open, operationId) => {
    const isCounted = open.response.headers.has('landfall-count');
    const entries = parse(await open.text(), operationId, isCounted);
    if (!Array.isArray(entries) || !hasObjects(entries)) {
      throw unexpected(operationId, 'is no list of objects');
    }
    checkCount(open.response, entries.length, operationId);
    const marker = open.response.headers.get('landfall-marker') ?? undefined;
    const timeline = open.response.headers.get('landfall-timeline');
    const page = { entries, next: nextQuery(open.response), marker };
    return timeline === null ? page : { ...page, timeline };
  },
};

/** Whether each value has members, which whoever reads it may look for. */
const hasObjects = (values: readonly unknown[]) =>
  values.every((value) => typeof value === 'object' && value);

/** A page says how many entries it has. One with another number was cut, or changed, between the service and here. */
export function checkCount({ headers }: Response, received: number, operationId: string): void {
  const count = Number(headers.get('landfall-count') ?? received);
  if (count === received) return;
  throw new ConnectionError(
    `the response to ${operationId} was cut: ${received} of ${count} entries have arrived`,
  );
}

/** Any number of lines, each a JSON object, read as they come. */
export const linesResult: ResultForm = {
  contentType: 'application/x-ndjson',
  prefer: 'summary',
  stream: (open, operationId) => new Lines(open, (line) => parse(line, operationId), operationId),
};

export const textResult: ResultForm = {
  contentType: 'text/plain',
  read: async (open, operationId) => {
    const text = await open.text();
    if (isHtml(open.response)) throw unexpected(operationId, 'is a page of HTML');
    return text;
  },
};

/** A file, as it is. */
export const bytesResult: ResultForm = {
  contentType: 'application/octet-stream',
  read: async (open, operationId) => {
    const file = await open.blob();
    if (file.type !== 'application/octet-stream') throw unexpected(operationId, 'is no file');
    return file;
  },
};

export const emptyResult: ResultForm = {
  contentType: '*/*',
  read: async (open, operationId) => {
    // A sign-in page has a status of success too.
    if ((await open.text()).trim() !== '') throw unexpected(operationId, 'is not empty');
  },
};

function isHtml({ headers }: Response): boolean {
  return /^text\/html\b/i.test(headers.get('content-type') ?? '');
}

/** @param isCounted the response says how many entries it has, so it is one of the service */
function parse(text: string, operationId: string, isCounted = false): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isCounted) throw new ConnectionError(`the response to ${operationId} was cut`);
    throw unexpected(operationId, 'is not JSON', error);
  }
}

/** The error of a response that is not what the contract describes. */
export function unexpected(operationId: string, what: string, cause?: unknown) {
  const message = `the response to ${operationId} ${what}: is this the address of a Landfall service?`;
  return new UnexpectedResponseError(message, { cause });
}
