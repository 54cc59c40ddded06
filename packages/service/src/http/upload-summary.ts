// The last line of the results of an upload: lines that were cut at the end of one look whole without it.
import type { FastifyReply } from 'fastify';
import { prefersSummary } from './preferences.js';

/** What counts as refused. */
const REFUSED = new Set<string | number>(['REFUSED', 'CONFLICT', 400]);

/** Counts results; `text` is the line with their number. */
export type UploadSummary = { add(result: { status?: string | number }): void; text(): string };

/** Begins a summary if the request prefers one, and says so in the response; `undefined` otherwise. */
export function startSummary(reply: FastifyReply): UploadSummary | undefined {
  if (!prefersSummary(reply.request)) return undefined;
  const applied = reply.getHeader('Preference-Applied');
  reply.header('Preference-Applied', [applied ?? [], 'summary'].flat().join(', '));
  let lines = 0;
  let refused = 0;
  return {
    add: ({ status }) => {
      lines += 1;
      if (status !== undefined && REFUSED.has(status)) refused += 1;
    },
    text: () => `${JSON.stringify({ summary: { lines, accepted: lines - refused, refused } })}\n`,
  };
}
