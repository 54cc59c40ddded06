// The last line of the results of an upload: lines that were cut at the end of one look whole without it.
import type { FastifyReply } from 'fastify';
import { prefersSummary } from './preferences.js';

/** Counts results; `text` is the line with their number. */
export type UploadSummary = { add(result: { status?: string }): void; text(): string };

/** Begins a summary if the request prefers one, and says so in the response; `undefined` otherwise. */
export function startSummary(reply: FastifyReply): UploadSummary | undefined {
  if (!prefersSummary(reply.request)) return undefined;
  reply.header('Preference-Applied', 'summary');
  let lines = 0;
  let refused = 0;
  return {
    add: ({ status }) => {
      lines += 1;
      if (status === 'REFUSED' || status === 'CONFLICT') refused += 1;
    },
    text: () => `${JSON.stringify({ summary: { lines, accepted: lines - refused, refused } })}\n`,
  };
}
