// The mark of a stream: which installation relays to it. Installations that share one NATS without prefixes would otherwise store
// to the streams of each other, and remove what the other has stored.
import type { Database } from '../database/database.js';
import { insertHistory, selectHistories } from '../database/standby-queries.js';

const MARK = /landfall-installation: ([\da-f-]{36})/;

/**
 * Identifies an installation: the tokens of all histories of its database, the last one first. After a failover there is one
 * more, and a database that was restored has those of before.
 */
export type Installation = readonly [current: string, ...before: string[]];

export async function readInstallation(database: Database): Promise<Installation> {
  await database.query(insertHistory);
  const [current, ...before] = (await database.query(selectHistories)).map(({ token }) => token);
  if (current === undefined) throw new Error('the database has no history');
  return [current, ...before];
}

/** Whether the description of a stream says of which installation it is. */
export function isMarked(description = ''): boolean {
  return MARK.test(description);
}

/** A description with the mark of an installation. */
export function mark([current]: Installation, description = ''): string {
  return `${description} landfall-installation: ${current}`.trim();
}

/** @throws ForeignStreamError when the stream is marked as that of another installation */
export function checkMark(stream: string, installation: Installation, description = ''): void {
  const [, token] = MARK.exec(description) ?? [];
  if (token !== undefined && !installation.includes(token)) throw new ForeignStreamError(stream);
}

/** The stream is that of another installation. */
export class ForeignStreamError extends Error {
  override name = 'ForeignStreamError';

  constructor(stream: string) {
    super(
      `the stream ${stream} is that of another installation: each that shares a NATS needs a LANDFALL_NATS_PREFIX of its own. If it is of this one, whose database was replaced, delete the stream: it is filled again from the oldest entries that are kept`,
    );
  }
}
