// What an import would change of the list of places (CL144) in force. No database; other work has its turns.
import { setImmediate } from 'node:timers/promises';
import { LISTED_CHANGES, type UnloCode, type UnloCodeChanges } from '@landfall/contract';
import type { UnloCodeGroup } from './unlo-code-queries.js';

/** Codes that are grouped or compared before other work has a turn. */
const CODES_A_TURN = 5000;

/** The start that the codes of a group have in common: the country and one character. */
const PREFIX_LENGTH = 3;

type Groups = ReadonlyMap<string, UnloCodeGroup>;

/** The difference of two lists. */
export type PlaceChanges = {
  /** How many places the current list has. */
  before: number;
  added: UnloCodeChanges;
  changed: UnloCodeChanges;
  removed: UnloCodeChanges;
  /** The groups that are new or differ. */
  written: UnloCodeGroup[];
  /** The prefixes of which no code is left. */
  deleted: string[];
};

/** The places by the start of their codes, all sorted. */
export async function groupCodes(list: readonly UnloCode[]): Promise<Groups> {
  const places = new Map<string, UnloCode[]>();
  for (const [index, place] of list.entries()) {
    if (index % CODES_A_TURN === 0) await setImmediate();
    const prefix = place.code.slice(0, PREFIX_LENGTH);
    const group = places.get(prefix);
    if (group === undefined) places.set(prefix, [place]);
    else group.push(place);
  }
  const groups = new Map<string, UnloCodeGroup>();
  let taken = 0;
  for (const prefix of [...places.keys()].sort()) {
    const group = places.get(prefix) ?? [];
    group.sort((one, other) => (one.code < other.code ? -1 : 1));
    const codes = group.map(({ code }) => code);
    groups.set(prefix, { prefix, codes, names: group.map(({ name = '' }) => name) });
    taken = await takeTurn(taken + codes.length);
  }
  return groups;
}

/** Compares the list in force with a new one. */
export async function compareGroups(current: Groups, next: Groups): Promise<PlaceChanges> {
  const changes: PlaceChanges = {
    before: 0,
    added: { count: 0, first: [] },
    changed: { count: 0, first: [] },
    removed: { count: 0, first: [] },
    written: [],
    deleted: [],
  };
  let taken = 0;
  for (const prefix of [...new Set([...current.keys(), ...next.keys()])].sort()) {
    const before = current.get(prefix);
    const after = next.get(prefix);
    changes.before += before?.codes.length ?? 0;
    const isChanged = compare(namesOf(before), namesOf(after), changes);
    if (after === undefined) changes.deleted.push(prefix);
    else if (isChanged) changes.written.push(after);
    taken = await takeTurn(taken + (before?.codes.length ?? 0) + (after?.codes.length ?? 0));
  }
  return changes;
}

/** Adds the differences of a group, and says whether there are any. */
function compare(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  { added, changed, removed }: PlaceChanges,
): boolean {
  let isChanged = false;
  const add = (changes: UnloCodeChanges, code: string, name: string) => {
    isChanged = true;
    changes.count++;
    if (changes.first.length < LISTED_CHANGES) {
      changes.first.push({ code, ...(name !== '' && { name }) });
    }
  };
  for (const [code, name] of before) if (!after.has(code)) add(removed, code, name);
  for (const [code, name] of after) {
    const previous = before.get(code);
    if (previous === undefined) add(added, code, name);
    else if (previous !== name) add(changed, code, name);
  }
  return isChanged;
}

function namesOf(group: UnloCodeGroup | undefined): ReadonlyMap<string, string> {
  return new Map(group?.codes.map((code, index) => [code, group.names[index] ?? '']));
}

async function takeTurn(taken: number): Promise<number> {
  if (taken < CODES_A_TURN) return taken;
  await setImmediate();
  return 0;
}
