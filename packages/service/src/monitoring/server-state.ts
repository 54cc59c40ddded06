// Whether a server reports.
import type { ServerStatus } from '@landfall/contract';
import type { LastFigures } from './queries.js';

/** A server that has written nothing for this long does not report: it writes once a minute. In milliseconds. */
const SILENT_AFTER_MS = 150_000;

/** @param now milliseconds since 1970 */
export function stateOf(
  { at, isStopped }: Pick<LastFigures, 'at' | 'isStopped'>,
  now: number,
): ServerStatus['state'] {
  if (isStopped) return 'STOPPED';
  return now - at.getTime() > SILENT_AFTER_MS ? 'SILENT' : 'REPORTING';
}
