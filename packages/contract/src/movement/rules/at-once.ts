// The rules that a member shows by itself: a message that breaks one is refused at once.

import type { ValidationErrorCode } from '../../errors.js';
import { isObject } from '../../is-object.js';
import { keysOf } from '../../keys-of.js';
import { movementMessages } from '../levels.js';
import type { Member, Part, Path } from '../read-message.js';
import { MAX_REFERENCES } from '../schema/parts.js';
import { type TextForm, textForms } from '../schema/text-forms.js';
import { addFound, type Broken, type Found, type Rule } from './rule.js';

const levels = keysOf(movementMessages);

/** A rule of each member that it applies to. */
function memberRule({
  isFor,
  isBroken,
  ...rule
}: Pick<Rule, 'id' | 'path' | 'text'> & {
  code: ValidationErrorCode;
  /** The parts of schemas whose members the rule is for; without it all. */
  isFor?: (part: Part) => boolean;
  isBroken: (member: Member) => Broken;
}): Rule {
  return {
    ...rule,
    phase: 'at once',
    levels,
    find: ({ members, membersOf }) => {
      const found: Found[] = [];
      const those = isFor === undefined ? members : membersOf(isFor);
      for (const member of those) addFound(found, isBroken(member), member.path);
      return found;
    },
  };
}

/** The sizes of a text or a list that a schema limits. */
function sizeOf({ part, value }: Member): { size: number; min: number; max: number } | undefined {
  const { minLength, maxLength, minItems = 0, maxItems } = part;
  if (typeof value === 'string' && maxLength !== undefined) {
    return { size: value.length, min: minLength ?? 0, max: maxLength };
  }
  if (Array.isArray(value) && maxItems !== undefined) {
    return { size: value.length, min: minItems, max: maxItems };
  }
  return undefined;
}

function hasType(type: string | undefined, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

/** Whether a number is not negative and has no more digits than these. */
function fits(value: number, whole: number, fraction: number): boolean {
  return value >= 0 && value < 10 ** whole && Number(value.toFixed(fraction)) === value;
}

const members: Rule[] = [
  memberRule({
    id: 'required',
    path: 'each mandatory member, and those below a missing object',
    text: 'must not be null',
    code: 'REQUIRED',
    isBroken: ({ value, isRequired }) => isRequired && value === undefined,
  }),
  memberRule({
    id: 'type',
    path: 'each member',
    text: 'must be of the type {type}',
    code: 'FORMAT',
    isBroken: ({ part: { type }, value }) =>
      value !== undefined && !hasType(type, value) && { type: String(type) },
  }),
  memberRule({
    id: 'blank',
    path: 'each text',
    text: 'must not be blank',
    code: 'REQUIRED',
    isFor: ({ type }) => type === 'string',
    isBroken: ({ value }) => typeof value === 'string' && value.trim() === '',
  }),
  memberRule({
    id: 'size',
    path: 'each text and each list with a length',
    text: 'size must be between {min} and {max}',
    code: 'SIZE',
    isFor: ({ maxLength, maxItems }) => maxLength !== undefined || maxItems !== undefined,
    isBroken: (member) => {
      const { size, min, max } = sizeOf(member) ?? { size: 0, min: 0, max: 0 };
      return (size < min || size > max) && { min, max };
    },
  }),
  memberRule({
    id: 'choice',
    path: 'each text that is one of some words, of no code list',
    text: 'Must be one of [{choices}]',
    code: 'UNKNOWN_CODE',
    isFor: (part) => part.enum !== undefined,
    isBroken: ({ part, value }) =>
      typeof value === 'string' &&
      part.enum?.includes(value) === false && { choices: part.enum.join(', ') },
  }),
  memberRule({
    id: 'number',
    path: 'each number',
    text: 'numeric value out of bounds (<{whole} digits>.<{fraction} digits> expected)',
    code: 'FORMAT',
    isFor: ({ decimal }) => decimal !== undefined,
    isBroken: ({ part: { decimal }, value }) =>
      decimal !== undefined &&
      typeof value === 'number' &&
      !fits(value, decimal.whole, decimal.fraction) &&
      decimal,
  }),
];

const forms: Rule[] = keysOf(textForms).map((form: TextForm) => {
  const { title, error, accepts } = textForms[form];
  return memberRule({
    id: `form.${form}`,
    path: title,
    text: error,
    code: 'FORMAT',
    isFor: (part) => part.form === form,
    isBroken: ({ value }) => typeof value === 'string' && !accepts(value),
  });
});

const streetOrBox = memberRule({
  id: 'street-or-box',
  path: 'the address of a consignor or consignee',
  text: 'At least one of the following fields should be non null: [streetLine, poBox]',
  code: 'REQUIRED',
  isFor: (part) => part.streetOrBox === true,
  isBroken: ({ value }) =>
    isObject(value) && !Object.hasOwn(value, 'streetLine') && !Object.hasOwn(value, 'poBox'),
});

/** What a message names may be spread over several lists, which have a limit together. */
function togetherRule(
  level: 'transport' | 'master-consignment',
  { id, lists, field }: { id: string; lists: readonly string[]; field: string },
): Rule {
  const isEntry = ({ path, part, value }: Member) =>
    part.type !== 'array' && value !== undefined && lists.includes(listOf(path));
  return {
    id,
    phase: 'at once',
    levels: [level],
    path: `the entries of all ${lists.join(' and ')} together`,
    text: 'size must be between {min} and {max}',
    code: 'SIZE',
    find: ({ members, isCut }) => {
      const isBroken = isCut || members.filter(isEntry).length > MAX_REFERENCES;
      return addFound([], isBroken && { min: 0, max: MAX_REFERENCES }, field);
    },
  };
}

/** The name of the list that an item is in; of other members, their name. */
function listOf(path: Path | undefined): string {
  return String((typeof path?.name === 'number' ? path.before : path)?.name ?? '');
}

/** The rules of each member, whatever the message: the most telling first. */
export const memberRules: readonly Rule[] = [...members, ...forms];

/** The rules, the most telling first: of a member that breaks several, one is reported. */
export const atOnceRules: readonly Rule[] = [
  ...memberRules,
  streetOrBox,
  togetherRule('transport', {
    id: 'documents-together',
    lists: ['consignmentMasterLevel', 'consignmentHouseLevel'],
    field: 'consignmentMasterLevel',
  }),
  togetherRule('master-consignment', {
    id: 'receptacles-together',
    lists: ['receptacleIdentificationNumber'],
    field: 'consignmentMasterLevel.consignmentHouseLevel',
  }),
];
