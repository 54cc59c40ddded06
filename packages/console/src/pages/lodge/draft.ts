// The draft of a movement message, and the message that it makes.
import type { MovementPart as Part } from '@landfall/contract';
import { offeredCodes } from './offered-codes.js';
import { isList, isWrapper, membersOf, type Shown } from './parts.js';
import { type Draft, type DraftValue, type Steps, valueAt, withValue } from './steps.js';

/** The draft of a message, for its replacement. */
export function draftOf(message: unknown): Draft {
  // Safe cast: a message is an object.
  return mergeReceptacles(asTyped(message) as Draft);
}

function asTyped(value: unknown): DraftValue {
  if (Array.isArray(value)) return value.map(asTyped);
  if (typeof value !== 'object' || value === null) return value == null ? undefined : String(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asTyped(member)]));
}

/** Where a master consignment has its receptacles: they may be spread over three lists, and the form has one. */
export const RECEPTACLES: Steps = [
  'consignmentMasterLevel',
  'consignmentHouseLevel',
  0,
  'receptacle',
  0,
  'receptacleIdentificationNumber',
];

function mergeReceptacles(draft: Draft): Draft {
  const houses = valueAt(draft, RECEPTACLES.slice(0, 2));
  if (!Array.isArray(houses)) return draft;
  const listed = (value: DraftValue) => (Array.isArray(value) ? value : []);
  const all = houses
    .flatMap((house) => listed(valueAt(house, ['receptacle'])))
    .flatMap((one) => listed(valueAt(one, ['receptacleIdentificationNumber'])));
  return withValue(withValue(draft, RECEPTACLES.slice(0, 2), undefined), RECEPTACLES, all);
}

/**
 * The message of a draft: without what is empty, with numbers and booleans, and with the codes that nobody can choose
 * otherwise.
 *
 * @param issuedAt when it is issued, an instant to the second
 * @param before the message that it replaces. A text that is in it stays as it is; another one has no blanks around it
 */
export function messageOf(draft: Draft, shown: Shown, issuedAt: string, before?: unknown): object {
  const kept = new Set<string>();
  collectTexts(before, kept);
  const made = makeObject({ ...draft, documentIssueDate: issuedAt }, shown.schema, [], {
    shown,
    trim: (text) => (kept.has(text) ? text : text.trim()),
  });
  return made ?? {};
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectTexts(member, texts);
  }
}

type Making = { shown: Shown; trim: (text: string) => string };

function makeObject(
  value: DraftValue,
  part: Part,
  steps: Steps,
  making: Making,
): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const { name, part: member, isRequired } of membersOf(part, steps)) {
    const given = valueAt(value, [name]);
    const one = makeValue(given, member, isRequired, [...steps, name], making);
    if (one !== undefined) made[name] = one;
  }
  return made;
}

function makeValue(
  value: DraftValue,
  part: Part,
  isRequired: boolean,
  steps: Steps,
  making: Making,
): unknown {
  if (part.properties !== undefined) {
    if (value === undefined && !isRequired) return undefined;
    const made = makeObject(value, part, steps, making);
    const isLeftOut = !isRequired && isOpen(part) && Object.keys(made).length === 0;
    return isLeftOut ? undefined : made;
  }
  if (isList(part)) {
    const items = Array.isArray(value) ? value : [];
    const made = items
      .map((item, index) => makeValue(item, part.items, true, [...steps, index], making))
      // Of the lists that are shown as one, those around it.
      .filter((item) => !isWrapper(part.items) || Object.keys(item ?? {}).length > 0);
    // One that needs an item is missing without one.
    return made.length > 0 || (isRequired && (part.minItems ?? 0) === 0) ? made : undefined;
  }
  return makeLeaf(typeof value === 'string' ? value : '', part, isRequired, steps, making);
}

/** Whether an object is shown whether or not it has something, and is left out if it has nothing. */
export function isOpen(part: Part): boolean {
  return isWrapper(part) || (part.place !== true && (part.required ?? []).length === 0);
}

function makeLeaf(
  typed: string,
  part: Part,
  isRequired: boolean,
  steps: Steps,
  { shown, trim }: Making,
): unknown {
  const text = trim(typed);
  if (text.trim() === '') {
    const [only, ...others] = isRequired ? offeredCodes(part, steps, shown) : [];
    return others.length > 0 ? undefined : only;
  }
  if (part.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (part.type !== 'number') return text;
  const number = text.replaceAll(/[\s\u00a0]/g, '').replace(',', '.');
  // Another text is no number for the rules either.
  return /^-?\d+(?:\.\d+)?$/.test(number) ? Number(number) : text;
}
