// The names that prepared statements have with PostgreSQL, which cuts a name after 63 bytes without an error.
import { createHash } from 'node:crypto';

/** Bytes of an identifier that PostgreSQL keeps (NAMEDATALEN - 1). */
const MAX_BYTES = 63;

/** How much of a long name is kept, so that it can still be recognised in the server's log. */
const KEPT_CHARACTERS = 30;

/** Names are made of the queries' own parts, so there are only so many. */
const shortened = new Map<string, string>();

/** The name itself where it fits, else its beginning and a digest of all of it. */
export function shortName(name: string): string {
  if (name.length * 3 <= MAX_BYTES || Buffer.byteLength(name) <= MAX_BYTES) return name;
  const known = shortened.get(name);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(name).digest('base64url').slice(0, 22);
  const beginning = name.replaceAll(/[^\x21-\x7e]/g, '').slice(0, KEPT_CHARACTERS);
  const short = `${beginning}-${digest}`;
  shortened.set(name, short);
  return short;
}
