// Checks one record against the one before it in its chain.
import { createHash } from 'node:crypto';
import type { AuditBreak } from './read-record.js';

/** Where a chain is: the last verified record. */
export type ChainState = { position: number; digest: Uint8Array };

/** The break at a record; `undefined` if it continues its chain. */
export function checkDigest(
  chain: number,
  last: ChainState | undefined,
  { position, digest, entry }: ChainState & { entry: string },
): AuditBreak | undefined {
  const expected = (last?.position ?? 0) + 1;
  if (position !== expected) {
    const problem = `the record is missing; the next one is at position ${position}`;
    return { chain, position: expected, code: 'RECORD_MISSING', problem };
  }
  const computed = createHash('sha256')
    .update(last?.digest ?? '')
    .update(entry)
    .digest();
  if (computed.equals(digest)) return undefined;
  const problem = 'its digest does not match the previous record and its own text';
  return { chain, position, code: 'DIGEST_MISMATCH', problem };
}

/** The break at a record whose text Landfall does not write. */
export function malformed(chain: number, position: number): AuditBreak {
  const problem = 'its text is not one that Landfall writes';
  return { chain, position, code: 'MALFORMED', problem };
}

/** The end of a chain that differs from the stated one; `undefined` if it is the same. */
export function compareEnd(
  source: string,
  { chain, position, digest }: { chain: number; position: number; digest: string },
  found: string | undefined,
): AuditBreak | undefined {
  if (found === digest) return undefined;
  return found === undefined
    ? {
        chain,
        position,
        code: 'RECORD_MISSING',
        problem: `${source} has this record, which is missing`,
      }
    : {
        chain,
        position,
        code: 'SEAL_MISMATCH',
        problem: `${source} has another digest of this record`,
      };
}
