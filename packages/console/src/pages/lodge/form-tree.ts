// The fields of the form of a movement message: made from the schema of its level, and shown where the rules let them be.
import type { MovementPart as Part } from '@landfall/contract';
import { codeNames } from './code-names.js';
import { isOpen, messageOf, RECEPTACLES } from './draft.js';
import { brokenMembers, fillUp } from './filled-up.js';
import { offeredCodes, takesOtherCodes } from './offered-codes.js';
import { isList, isWrapper, membersOf, partAt, type Shown } from './parts.js';
import { type Draft, type DraftValue, pathOf, type Steps, valueAt, withValue } from './steps.js';

/** What is typed or chosen. */
export type FieldNode = {
  kind: 'field';
  steps: Steps;
  isRequired: boolean;
  input: 'text' | 'long' | 'number' | 'instant' | 'date' | 'boolean' | 'codes';
  /** Maximum number of characters, if it has one. */
  maxLength: number | undefined;
  /** Codes with their names. Others are taken too if the input is a text. */
  codes: readonly (readonly [code: string, name: string])[];
};

/** Members that belong together. */
export type GroupNode = {
  kind: 'group';
  steps: Steps;
  /** Whether it can be added and removed. */
  isOptional: boolean;
  /** Whether it is there. */
  isPresent: boolean;
  nodes: readonly FormNode[];
};

/** Items that can be added and removed. */
export type ListNode = {
  kind: 'list';
  steps: Steps;
  isRequired: boolean;
  /** Those that are shown. */
  items: readonly (readonly FormNode[])[];
  /** How many there are. */
  count: number;
  /** What an item has when it is added. */
  newItem: '' | Draft;
  maxItems: number;
};

/** Something that the form shows. */
export type FormNode = FieldNode | GroupNode | ListNode;

/**
 * The form of a draft.
 *
 * @param itemsShown how many items of a list are shown at most, by the way to it
 */
export function formTree(
  shown: Shown,
  draft: Draft,
  itemsShown: (list: Steps) => number,
): readonly FormNode[] {
  return nodesOf(shown.schema, [], { shown, draft, itemsShown, contradictions: new Map() });
}

type Growing = {
  shown: Shown;
  draft: Draft;
  itemsShown: (list: Steps) => number;
  /** What contradicts itself already, by the items that are looked at. */
  contradictions: Map<string, readonly string[]>;
};

/** The object in which a message of a level has everything: it has no name in the form. */
const isRoot = (steps: Steps, shown: Shown) =>
  steps.length === 1 && shown.level !== 'transport' && steps[0] !== 'representative';

function nodesOf(part: Part, steps: Steps, growing: Growing): FormNode[] {
  return membersOf(part, steps).flatMap(({ name, part: member, isRequired }) => {
    // When it is issued is known when it is sent.
    if (steps.length === 0 && name === 'documentIssueDate') return [];
    return nodesAt(member, [...steps, name], isRequired, growing);
  });
}

function nodesAt(part: Part, steps: Steps, isRequired: boolean, growing: Growing): FormNode[] {
  const { shown, draft } = growing;
  const value = valueAt(draft, steps);
  if (!isRequired && isEmpty(value) && !fits(part, steps, growing)) return [];
  if (shown.level === 'master-consignment' && pathOf(steps) === pathOf(RECEPTACLES.slice(0, 2))) {
    const list = partAt(shown.schema, RECEPTACLES);
    return list !== undefined && isList(list) ? [listNode(list, RECEPTACLES, false, growing)] : [];
  }
  if (isList(part)) return [listNode(part, steps, isRequired, growing)];
  if (part.properties === undefined) return fieldNodes(part, steps, isRequired, shown);
  if (isWrapper(part)) {
    return membersOf(part, steps).flatMap(({ name, part: member, isRequired: needed }) =>
      nodesAt(member, [...steps, name], isRequired && needed, growing),
    );
  }
  if (isRoot(steps, shown)) return nodesOf(part, steps, growing);
  const isOptional = !isRequired && !isOpen(part);
  const isPresent = !isOptional || value !== undefined;
  return [
    {
      kind: 'group',
      steps,
      isOptional,
      isPresent,
      nodes: isPresent ? nodesOf(part, steps, growing) : [],
    },
  ];
}

function listNode(
  part: Part & { items: Part },
  steps: Steps,
  isRequired: boolean,
  growing: Growing,
): ListNode {
  const value = valueAt(growing.draft, steps);
  const items = Array.isArray(value) ? value : [];
  const { maxItems = Number.POSITIVE_INFINITY, minItems = 0 } = part;
  return {
    kind: 'list',
    steps,
    isRequired: isRequired && minItems > 0,
    items: items
      .slice(0, growing.itemsShown(steps))
      .map((_, index) => itemNodes(part.items, [...steps, index], growing)),
    count: items.length,
    newItem: part.items.properties === undefined ? '' : {},
    maxItems,
  };
}

/** The nodes of an item. If it has one group, the item is that group. */
function itemNodes(part: Part, steps: Steps, growing: Growing): readonly FormNode[] {
  const nodes =
    part.properties === undefined
      ? fieldNodes(part, steps, true, growing.shown)
      : nodesOf(part, steps, growing);
  const [first] = nodes;
  return nodes.length === 1 && first?.kind === 'group' ? first.nodes : nodes;
}

function fieldNodes(part: Part, steps: Steps, isRequired: boolean, shown: Shown): FieldNode[] {
  const names = codeNames(part, steps) ?? {};
  const offered = offeredCodes(part, steps, shown);
  // Nobody can choose otherwise: it is filled in.
  if (isRequired && offered.length === 1) return [];
  const codes = (takesOtherCodes(part) ? Object.keys(names) : offered).map(
    (code) => [code, names[code] ?? ''] as const,
  );
  const { maxLength } = part;
  return [{ kind: 'field', steps, isRequired, input: inputOf(part, offered), maxLength, codes }];
}

/** From how many characters a text has several lines. */
const LONG = 100;

function inputOf(part: Part, offered: readonly string[]): FieldNode['input'] {
  const { type, form, maxLength = 0 } = part;
  if (offered.length > 0) return 'codes';
  if (type === 'boolean' || type === 'number') return type;
  if (form === 'instant' || form === 'date') return form;
  return form === 'lines' && maxLength > LONG ? 'long' : 'text';
}

/** Whether nothing was entered. A group that was added and is still empty is something. */
function isEmpty(value: DraftValue): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether a member can be given beside what was entered: no rule says that it contradicts that. */
function fits(part: Part, steps: Steps, { shown, draft, contradictions }: Growing): boolean {
  const [onWay, first] = onlyOnWay(draft, steps);
  const message = messageOf(onWay, shown, '');
  const items = JSON.stringify(steps.slice(0, steps.findLastIndex(Number.isInteger) + 1));
  const before = contradictions.get(items) ?? brokenMembers(message, shown, 'INCOMPATIBLE');
  contradictions.set(items, before);
  const given = isList(part) ? [fillUp(part.items, undefined)] : fillUp(part, undefined);
  // Safe casts: a message has the shape of a draft, whatever the types of its members.
  const other = withValue(message as Draft, first, given as DraftValue);
  const after = brokenMembers(other, shown, 'INCOMPATIBLE');
  return after.every((field) => before.includes(field));
}

/** A draft in which each list has one item at most, that on the way, and the way in it: a long list is not read for each of its fields. */
function onlyOnWay(draft: Draft, steps: Steps): [draft: Draft, steps: Steps] {
  const cut = (value: DraftValue, way: Steps | undefined): DraftValue => {
    if (typeof value !== 'object') return value;
    const [step, ...rest] = way ?? [];
    if (Array.isArray(value)) {
      const index = typeof step === 'number' ? step : 0;
      return value.slice(index, index + 1).map((item) => cut(item, rest));
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        cut(member, name === step ? rest : undefined),
      ]),
    );
  };
  // Safe cast: what is cut is an object as before.
  return [cut(draft, steps) as Draft, steps.map((step) => (typeof step === 'number' ? 0 : step))];
}
