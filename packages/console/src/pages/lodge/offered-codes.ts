// The codes that can be chosen for a member: those of its list, without those of other modes.
import {
  type CodeList,
  countryCodes,
  movementCodeLists,
  outgoingProcedures,
  type MovementPart as Part,
} from '@landfall/contract';
import { brokenMembers } from './filled-up.js';
import type { Shown } from './parts.js';
import { pathOf, type Steps, withValue } from './steps.js';

/** The names of the codes of a member, by code; empty if codes have no names here. `undefined`: it has no list. */
export function codeNames(part: Part, steps: Steps): Readonly<Record<string, string>> | undefined {
  if (part.country === true) return countries;
  if (part.codeList !== undefined) return movementCodeLists[part.codeList].codes;
  // The rules name its codes, and the schema does not.
  return steps.at(-1) === 'outgoingProcedure' ? outgoingProcedures : undefined;
}

const countries = Object.fromEntries([...countryCodes].map((code) => [code, '']));

/** Whether a member takes other codes than those that are known. */
export function takesOtherCodes({ codeList }: Part): boolean {
  const list: CodeList | undefined = codeList && movementCodeLists[codeList];
  return list?.form !== undefined;
}

const known = new Map<string, readonly string[]>();

/** The codes that can be chosen; none if the member has no list, or takes others too. */
export function offeredCodes(part: Part, steps: Steps, shown: Shown): readonly string[] {
  const names = codeNames(part, steps);
  if (names === undefined || takesOtherCodes(part)) return [];
  const first = steps.map((step) => (typeof step === 'number' ? 0 : step));
  const path = pathOf(first);
  const key = `${shown.mode} ${shown.level} ${path}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const codes = Object.keys(names);
  const offered =
    part.country === true
      ? codes
      : codes.filter((code) => {
          const broken = brokenMembers(withValue({}, first, code), shown, 'NOT_FOR_MODE');
          return !broken.includes(path);
        });
  known.set(key, offered);
  return offered;
}
