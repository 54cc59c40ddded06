// Uploads with a result for each entry: a JSON array, or NDJSON that is processed as it is received.
import { Readable } from 'node:stream';
import type { Operation, ValidationError } from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UploadedLine } from '../uploaded-line.js';
import { makeNegotiation } from './media-type.js';
import { type BlockLimits, NDJSON, readBlocks, toLines } from './ndjson.js';
import { type OperationCall, type RouteContext, refuse } from './operation.js';
import { HttpError } from './problem.js';
import { receiveUpload } from './receive-upload.js';
import { streamResponse } from './stream-response.js';
import { startSummary } from './upload-summary.js';

const JSON_TYPE = 'application/json';

/** The media type that Accept prefers; that of the body if it has no preference. */
const preferLines = makeNegotiation([NDJSON, JSON_TYPE]);
const preferArray = makeNegotiation([JSON_TYPE, NDJSON]);

type LineResult = { line: number; status: string };

/** Processes a block and returns a result for each line. */
export type ProcessBlock = (lines: readonly UploadedLine[]) => Promise<readonly LineResult[]>;

type Call = Pick<OperationCall<Operation>, 'body' | 'caller' | 'request' | 'reply'>;

/**
 * Responds to NDJSON with the result of each line, while lines are still being received.
 *
 * @param block how much is processed at once
 * @throws HttpError 400 if there is no body
 */
export async function respondToLines(
  http: RouteContext,
  call: Call,
  block: BlockLimits,
  process: ProcessBlock,
  mediaType = NDJSON,
): Promise<FastifyReply> {
  const { body, caller, reply } = call;
  if (!(body instanceof Readable)) throw new HttpError(400, 'The body is empty');
  return streamResponse(reply, mediaType, body, { unread: http.unreadResults }, async (add) => {
    await receiveUpload(body, call, http.clock, async ({ chunks, requireAccess }) => {
      for await (const lines of readBlocks(chunks, block, caller.organisationId)) {
        await requireAccess();
        await add(await process(lines));
      }
    });
  });
}

/**
 * The same, and responds to an array when all of it is processed.
 *
 * @param array what its elements are called, and how many it may have
 * @throws ValidationFailedError if the body is no such array
 */
export async function respondToLinesOrArray(
  http: RouteContext,
  call: Call,
  block: BlockLimits,
  process: ProcessBlock,
  array: { of: string; maxItems: number },
): Promise<FastifyReply> {
  const { body, request, reply } = call;
  if (!(body instanceof Readable)) {
    return respondToArray(request, reply, checkArray(body, array), block.lines, process);
  }
  const mediaType = preferLines(request.headers.accept) ?? NDJSON;
  return respondToLines(http, call, block, process, mediaType);
}

async function respondToArray(
  request: FastifyRequest,
  reply: FastifyReply,
  values: readonly unknown[],
  blockLength: number,
  process: ProcessBlock,
): Promise<FastifyReply> {
  const mediaType = preferArray(request.headers.accept) ?? JSON_TYPE;
  const summary = mediaType === NDJSON ? startSummary(reply) : undefined;
  const texts: string[] = [];
  for (let start = 0; start < values.length; start += blockLength) {
    const block = values.slice(start, start + blockLength);
    const results = await process(
      block.map((value, index) => ({ line: start + index + 1, value })),
    );
    for (const result of results) summary?.add(result);
    texts.push(...results.map((result) => JSON.stringify(result)));
  }
  const text = mediaType === NDJSON ? toLines(texts) : `[${texts.join(',')}]`;
  return reply.type(mediaType).send(`${text}${summary?.text() ?? ''}`);
}

function checkArray(body: unknown, { of, maxItems }: { of: string; maxItems: number }): unknown[] {
  const broken = (error: string, code: ValidationError['code']) =>
    refuse({ field: '', error, code });
  if (!Array.isArray(body)) return broken(`must be an array of ${of}`, 'FORMAT');
  if (body.length === 0 || body.length > maxItems) {
    return broken(`size must be between 1 and ${maxItems}`, 'SIZE');
  }
  return body;
}
