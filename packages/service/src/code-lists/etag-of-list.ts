// The entity tags of code lists: another one whenever the list is another.
import { createHash } from 'node:crypto';
import { builtInLists } from '@landfall/contract';

const builtIn: ReadonlyMap<string, string> = new Map(
  [...builtInLists].map(([list, { codes }]) => [list, etagOf([list, codes])]),
);

/** That of a list of this release. */
export function etagOfBuiltIn(list: string): string {
  return builtIn.get(list) ?? etagOf([list]);
}

/** That of a list that was imported. No two imports of a list have the same time. */
export function etagOfImported(list: string, importedAt: Date): string {
  return etagOf([list, importedAt]);
}

function etagOf(value: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(value)).digest();
  return `"${digest.subarray(0, 16).toString('base64url')}"`;
}
