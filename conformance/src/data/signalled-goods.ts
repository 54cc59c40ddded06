// Goods with signals that a presenter can read: what the cases about reading a feed start from.
import type { CaseContext } from '../suite/case-context.js';
import { register } from './goods.js';
import { present } from './presentations.js';
import { memberOf } from './read-feed.js';

/** Registers a declaration with decided house consignments, and presents it. */
export async function issueSignals(context: CaseContext, count: number): Promise<string> {
  const { mrn } = await register(context, {
    houses: Array.from({ length: count }, () => ({ routing: 'TO_ENTRY' as const })),
  });
  await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
  return mrn;
}

/** The id of a signal. */
export function signalId(signal: unknown): string {
  return String(memberOf(signal, 'routingResult.id'));
}
