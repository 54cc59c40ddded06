// A movement message as people read it: its members by the schema, in sections.
import { isList, isWrapper, membersOf, type Shown } from '../lodge/parts.js';
import type { Steps } from '../lodge/steps.js';

type Part = Shown['schema'];

/** A member that has a value. */
export type Leaf = { steps: Steps; part: Part; value: unknown };

/** What is said under one name: the value of a member, those of a list, or those of a short object such as an address. */
export type Fact = { steps: Steps; leaves: readonly Leaf[] };

/** What belongs together: an object of the message, or the items of one of its lists. */
export type Section = {
  /** The way to the member that names it; none of the message itself. */
  steps: Steps;
  isList: boolean;
  items: readonly (readonly Fact[])[];
};

/**
 * The sections of a message: first what is in no object or list, then each object and each list, in the order of the form.
 * What is within them is a fact of theirs.
 */
export function sectionsOf(message: object, shown: Shown): readonly Section[] {
  const own: Fact[] = [];
  const sections: Section[] = [];
  const visit = (part: Part, value: unknown, steps: Steps) => {
    for (const { name, part: member } of membersOf(part, steps)) {
      const given = memberOf(value, name);
      if (given === undefined) continue;
      const path = [...steps, name];
      if (isRoot(path, shown)) visit(member, given, path);
      else if (isList(member) && member.items.properties !== undefined) {
        const items = itemsOf(given).map((item, index) =>
          factsOf(member.items, item, [...path, index], true),
        );
        sections.push({ steps: nameOfItems(member.items, path), isList: true, items });
      } else if (member.properties !== undefined && !isWrapper(member)) {
        sections.push({ steps: path, isList: false, items: [factsOf(member, given, path, true)] });
      } else own.push(...factsOf(member, given, path, false));
    }
  };
  visit(shown.schema, message, []);
  return [{ steps: [], isList: false, items: [own] }, ...sections];
}

/** The object in which a message of a level has everything. */
const isRoot = ([name, ...rest]: Steps, { level }: Shown) =>
  rest.length === 0 &&
  (level === 'master-consignment'
    ? name === 'consignmentMasterLevel'
    : level === 'house-consignment' && name === 'consignmentHouseLevel');

/** Items that have one member are called what that is called. */
function nameOfItems(part: Part, steps: Steps): Steps {
  const [only, ...others] = Object.entries(part.properties ?? {});
  if (only === undefined || others.length > 0) return steps;
  const [name, member] = only;
  return nameOfItems(isList(member) ? member.items : member, [...steps, name]);
}

/** Objects whose members say what they are without names of their own, each with the order in which people write them. */
const shortObjects: Readonly<Record<string, readonly string[]>> = {
  address: [
    'streetLine',
    'number',
    'streetAdditionalLine',
    'poBox',
    'postcode',
    'city',
    'subDivision',
    'country',
  ],
  communication: ['identifier', 'type'],
  operator: ['name'],
  transportDocumentMasterLevel: ['documentNumber', 'type'],
  transportDocumentHouseLevel: ['documentNumber', 'type'],
};

/** What a member has, and what is in it. `isNamed`: whether the section is about it, and has its name already. */
function factsOf(part: Part, value: unknown, steps: Steps, isNamed: boolean): Fact[] {
  if (isList(part)) {
    const items = itemsOf(value);
    return part.items.properties === undefined
      ? [{ steps, leaves: items.map((item) => ({ steps, part: part.items, value: item })) }]
      : items.flatMap((item, index) => factsOf(part.items, item, [...steps, index], false));
  }
  if (part.properties === undefined) return [{ steps, leaves: [{ steps, part, value }] }];
  const short = isNamed ? [] : (shortObjects[nameOf(steps)] ?? []);
  const leaves = short.flatMap((name): Leaf[] => {
    const [member, given] = [part.properties?.[name], memberOf(value, name)];
    return member === undefined || given === undefined
      ? []
      : [{ steps: [...steps, name], part: member, value: given }];
  });
  const others = membersOf(part, steps).flatMap(({ name, part: member }) => {
    const given = memberOf(value, name);
    return given === undefined || short.includes(name)
      ? []
      : factsOf(member, given, [...steps, name], false);
  });
  return leaves.length > 0 ? [{ steps, leaves }, ...others] : others;
}

/** The name of the member at the end of a way, also of an item of it. */
const nameOf = (steps: Steps) => String(steps.findLast((step) => typeof step === 'string'));

function memberOf(value: unknown, name: string): unknown {
  // Safe cast: only what is an object has members.
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
