// Signing keys as a table or JSON.
import type { KeyPurpose, ListedKey } from '@landfall/service';
import { printJson, readableTime } from '../../../output/output.js';
import { type Column, printTable } from '../../../output/table.js';

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
  if (json) printJson(keys);
  else printTable(columns, keys);
}
