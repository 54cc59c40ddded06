// The codes of a member of a movement message, with their names.
import {
  countryCodes,
  movementCodeLists,
  outgoingProcedures,
  type MovementPart as Part,
} from '@landfall/contract';
import type { Steps } from './steps.js';

/** The names of the codes of a member, by code; empty if codes have no names here. `undefined`: it has no list. */
export function codeNames(part: Part, steps: Steps): Readonly<Record<string, string>> | undefined {
  if (part.country === true) return countries;
  if (part.codeList !== undefined) return movementCodeLists[part.codeList].codes;
  // The rules name its codes, and the schema does not.
  return steps.at(-1) === 'outgoingProcedure' ? outgoingProcedures : undefined;
}

const countries = Object.fromEntries([...countryCodes].map((code) => [code, '']));
