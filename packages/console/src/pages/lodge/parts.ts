// The parts of the schema of a movement message, as the form shows them.
import {
  keyMembers,
  type ModeName,
  type MovementLevel,
  movementLevels,
  type MovementPart as Part,
} from '@landfall/contract';
import type { Steps } from './steps.js';

/** What a form is about. */
export type Shown = { mode: ModeName; level: MovementLevel; schema: Part };

/** What the form of a level is about in a mode. */
export function shownOf(mode: ModeName, level: MovementLevel): Shown {
  return { mode, level, schema: movementLevels[level].schema };
}

/** The paths of the members that no replacement may change. */
export function keyPathsOf({ level, mode }: Shown): readonly string[] {
  return keyMembers(level, mode);
}

/** A member of an object. */
export type NamedPart = { name: string; part: Part; isRequired: boolean };

/** A list. */
export type ListPart = Part & { items: Part };

export const isList = (part: Part): part is ListPart => part.items !== undefined;

/** Whether an object has one member, which is shown in its place. */
export const isWrapper = ({ properties = {} }: Part): boolean =>
  Object.keys(properties).length === 1;

/**
 * The members of an object in the order of the form. Of a message, who acts for the one who lodges comes last: most have
 * nobody. An item that needs nothing needs its first member if that is an object: nobody adds an item for nothing.
 */
export function membersOf({ properties = {}, required = [] }: Part, steps: Steps): NamedPart[] {
  const isItem = typeof steps.at(-1) === 'number';
  const members = Object.entries(properties).map(([name, part], place) => {
    const isFirst = isItem && required.length === 0 && place === 0;
    const isNeeded = isFirst && part.properties !== undefined;
    return { name, part, isRequired: isNeeded || required.includes(name) };
  });
  if (steps.length > 0) return members;
  const isLast = ({ name }: NamedPart) => name === 'representative';
  return [...members.filter((one) => !isLast(one)), ...members.filter(isLast)];
}

/** The part of the schema at the end of a way; `undefined` if it has none. */
export function partAt(schema: Part, steps: Steps): Part | undefined {
  let part: Part | undefined = schema;
  for (const step of steps) {
    part = typeof step === 'number' ? part?.items : part?.properties?.[step];
  }
  return part;
}

/** Compares two members by their places in the form. */
export function compareSteps(schema: Part, one: Steps, other: Steps): number {
  let before: Steps = [];
  for (const [index, step] of one.entries()) {
    const second = other[index];
    if (second === undefined) return 1;
    if (step !== second) return placeOf(schema, before, step) - placeOf(schema, before, second);
    before = [...before, step];
  }
  return one.length - other.length;
}

function placeOf(schema: Part, before: Steps, step: string | number): number {
  if (typeof step === 'number') return step;
  return membersOf(partAt(schema, before) ?? {}, before).findIndex(({ name }) => name === step);
}
