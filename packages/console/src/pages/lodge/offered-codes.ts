// The codes that can be chosen for a member: those of its list, without those of other modes.
import { type CodeList, movementCodeLists, type MovementPart as Part } from '@landfall/contract';
import { codeNames } from './code-names.js';
import { brokenMembers } from './filled-up.js';
import type { Shown } from './parts.js';
import { pathOf, type Steps, withValue } from './steps.js';

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
