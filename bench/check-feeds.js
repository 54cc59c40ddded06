// Reads feeds while others write them, as clients do, and checks that nothing acknowledged is missing in them, that no
// reader passed an entry that appeared later, and that positions have no gaps.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/**
 * The feeds of an implementation, in SQL.
 *
 * @typedef {object} Feeds
 * @property {string} signals the table with `owner`, the id of an organisation, and `position`, found by both
 * @property {string} requests selects the ids of the requests that have signals
 * @property {boolean} [hasGaps] whether positions may leave out numbers
 */

/** Where Landfall keeps them, and the bare implementation in a schema of its own. @returns {Feeds} */
export const feedsIn = (schema) => ({
  signals: `${schema}.routing_signal`,
  requests: `
    select request_id from ${schema}.signal_recipient r
    join ${schema}.routing_signal s on s.owner = r.organisation_id and s.position = r.signal_position`,
});

/** For how long signals may appear after the last response. */
const MAX_BEHIND_MS = 60_000;

/** Between two pages of a reader. */
const POLL_MS = 50;

/**
 * Counts the acknowledged requests without a signal.
 *
 * @param {(text: string, values: unknown[]) => Promise<any[]>} query
 * @param {Feeds} feeds
 * @param {Buffer} acknowledged ids of 16 bytes each
 */
export async function countMissing(query, { requests }, acknowledged) {
  const ids = [];
  for (let start = 0; start < acknowledged.length; start += 16) {
    ids.push(acknowledged.subarray(start, start + 16).toString('hex'));
  }
  const [{ missing }] = await query(
    `select count(*)::integer as missing from (select unnest($1::uuid[]) except ${requests}) missing`,
    [ids],
  );
  return missing;
}

/**
 * Begins to read the feeds of some organisations.
 *
 * @param {string} url of the database
 * @param {Feeds} feeds
 * @param {readonly number[]} owners ids of the organisations
 * @returns {Promise<{ end: (acknowledged: Buffer) => Promise<{ lost: number, behind: number }>}>} `end` waits for the
 * signals of the acknowledged requests, whose ids are 16 bytes each: how many are missing after a minute, and how many
 * seconds the last took. It throws when a reader missed an entry.
 */
export async function followFeeds(url, feeds, owners) {
  const { signals, hasGaps = false } = feeds;
  const client = new pg.Client(url);
  // Its statements report a lost connection; without them, the measurement has failed already.
  client.on('error', () => undefined);
  await client.connect();
  const query = async (text, values = []) => (await client.query(text, values)).rows;
  const seen = new Map(owners.map((owner) => [owner, []]));
  const readOnce = async () => {
    for (const [owner, positions] of seen) {
      const rows = await query(
        `select position::integer from ${signals} where owner = $1 and position > $2 order by position`,
        [owner, positions.at(-1) ?? 0],
      );
      for (const { position } of rows) positions.push(position);
    }
  };
  let isEnded = false;
  const reading = (async () => {
    while (!isEnded) {
      await readOnce();
      await delay(POLL_MS);
    }
  })();
  // It is awaited at the end.
  reading.catch(() => undefined);

  const compare = async () => {
    for (const [owner, positions] of seen) {
      const rows = await query(
        `select position::integer from ${signals} where owner = $1 order by position`,
        [owner],
      );
      const gap = rows.findIndex(({ position }, index) => !hasGaps && position !== index + 1);
      if (gap !== -1) throw new Error(`organisation ${owner}: position ${gap + 1} is left out`);
      const missed = rows.findIndex(({ position }, index) => position !== positions[index]);
      if (missed !== -1 || rows.length !== positions.length) {
        throw new Error(
          `organisation ${owner}: a reader missed position ${rows[missed]?.position}`,
        );
      }
    }
  };
  return {
    end: async (acknowledged) => {
      const began = performance.now();
      const count = () => countMissing(query, feeds, acknowledged);
      let lost = await count();
      let behind = 0;
      while (lost > 0 && behind < MAX_BEHIND_MS) {
        await delay(100);
        lost = await count();
        behind = performance.now() - began;
      }
      isEnded = true;
      await reading;
      await readOnce();
      await compare();
      await client.end();
      return { lost, behind: behind / 1000 };
    },
  };
}
