// What a playground's streams and subjects in NATS begin with, so that several playgrounds share one NATS.
import { randomBytes } from 'node:crypto';
import type { Database } from '@landfall/service/assembly';
import { keep, selectKept } from './data-queries.js';

const NAME = 'prefix in NATS';

/**
 * The prefix that is given, or else one of this playground's own, which its database keeps.
 *
 * @param given `none`: the names of an installation without a prefix
 */
export async function chooseNatsPrefix(database: Database, given: string): Promise<string> {
  if (given !== '') return given;
  const [kept] = await database.query(selectKept(NAME));
  if (kept !== undefined) return kept.value;
  const own = `playground-${randomBytes(4).toString('hex')}`;
  await database.query(keep(NAME, own));
  return own;
}
