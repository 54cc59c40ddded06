// Signing keys as a table or JSON.
import type { KeyPurpose, ListedKey } from '@landfall/service';
import { coloursFor, print, readableTime } from '../../output/output.js';
import { type Column, tableLines } from '../../output/table.js';

/** A key and what it is for. */
export type PurposeKey = ListedKey & { purpose: KeyPurpose };

const columns: readonly Column<PurposeKey>[] = [
  { heading: 'purpose', value: ({ purpose }) => purpose },
  { heading: 'state', value: ({ state }) => state },
  { heading: 'signs from', value: ({ signsFrom }) => readableTime(signsFrom) },
  { heading: 'ends', value: ({ endsAt }) => (endsAt === undefined ? '-' : readableTime(endsAt)) },
  { heading: 'kid', value: ({ kid }) => kid },
];

/** Prints the keys. */
export function showKeys(keys: readonly PurposeKey[], { json }: { json?: true }): void {
  const lines = json ? [JSON.stringify(keys, null, 2)] : tableLines(columns, keys, coloursFor());
  for (const line of lines) print(line);
}
