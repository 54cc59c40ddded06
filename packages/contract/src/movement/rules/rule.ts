// What a rule of a movement message is.

import type { ValidationErrorCode } from '../../errors.js';
import type { IncompleteReason } from '../codes/procedures.js';
import type { MovementLevel, MovementMessageName } from '../levels.js';
import type { Mode, ModeName } from '../modes.js';
import type { Path, ReadMessage } from '../read-message.js';
import type { Registers } from '../registers.js';
import type { HouseConsignmentMessage } from '../schema/house-consignment.js';
import type { MasterConsignmentMessage } from '../schema/master-consignment.js';
import type { RelationMessage } from '../schema/relation.js';
import type { TransportMessage } from '../schema/transport.js';

/** What a request cancels. */
export type Cancelled = {
  /** Whether it is current, and so is everything that it couples. */
  isCurrent: boolean;
  /** Whether goods are presented because of it. */
  isPresented: boolean;
};

/** What a rule judges. The body is of its schema, unless the phase is `at once`. */
export type Facts = ReadMessage & {
  level: MovementMessageName;
  mode: Mode;
  registers: Registers;
  now: Date;
  /** The message that is replaced, if one is. */
  replaces?: unknown;
  /** What is cancelled, if the request cancels. */
  cancels?: Cancelled | undefined;
};

/** Where a rule is broken, with what its text names in braces. */
export type Found = {
  field: string | Path | undefined;
  values?: Values;
};

/**
 * When a rule is asked. `at once`: what one member shows by itself; a message that breaks one is not lodged. `status`: what
 * members show together, and registers; only if nothing was found at once. `completeness`: what a house consignment still
 * needs; only if it is accepted.
 */
export type Phase = 'at once' | 'status' | 'completeness';

/** One rule. */
export type Rule = {
  id: string;
  levels: readonly MovementMessageName[];
  /** The modes that it is for; without it all. */
  modes?: readonly ModeName[];
  /** The member, for readers; `[]` is any index. */
  path: string;
  /** The text of an error; names in braces stand for values. */
  text: string;
  /** Lists each place where the rule is broken. It is pure. */
  find: (facts: Facts) => readonly Found[];
} & (
  | { phase: 'at once' | 'status'; code: ValidationErrorCode }
  | { phase: 'completeness'; code: IncompleteReason }
);

type House = HouseConsignmentMessage['consignmentHouseLevel'];
type Values = Readonly<Record<string, string | number>>;

/** Whether a rule is broken; or what its text names, if it is. */
export type Broken = boolean | Values;

/** What the rules of one level, and those of items of one list, say of themselves. */
type Own<Subject, Code, More = unknown> = Pick<Rule, 'id' | 'modes' | 'text'> & {
  code: Code;
  isBroken: (subject: Subject, facts: Facts & More) => Broken;
};
type WithPath = Pick<Rule, 'path'>;

/** Adds a place of a rule, if it is broken there. */
export function addFound(found: Found[], broken: Broken, field: Found['field']): Found[] {
  if (broken !== false) found.push(broken === true ? { field } : { field, values: broken });
  return found;
}

const levelRule =
  <Body>(level: MovementMessageName) =>
  ({ isBroken, ...own }: Own<Body, ValidationErrorCode> & WithPath): Rule => ({
    ...own,
    phase: 'status',
    levels: [level],
    // The cast is safe because the schema of the level has accepted the body: no rule found anything at once.
    find: (facts) => addFound([], isBroken(facts.body as Body, facts), own.path),
  });

/** A rule of transports. */
export const transportRule = levelRule<TransportMessage>('transport');

/** A rule of master consignments. */
export const masterRule = levelRule<MasterConsignmentMessage>('master-consignment');

/** A rule of relations. */
export const relationRule = levelRule<RelationMessage>('relation');

/** A rule of house consignments; its path is below `consignmentHouseLevel`. */
export const houseRule = (own: Own<House, ValidationErrorCode> & WithPath): Rule => ({
  ...ofHouse(own),
  phase: 'status',
  code: own.code,
});

/** What a house consignment needs to be complete; its path is below `consignmentHouseLevel`. */
export const neededRule = (own: Own<House, IncompleteReason> & WithPath): Rule => ({
  ...ofHouse(own),
  phase: 'completeness',
  code: own.code,
});

const HOUSE = 'consignmentHouseLevel';
const levels: readonly MovementLevel[] = ['house-consignment'];

/** The cast is safe because the schema has accepted the body: no rule found anything at once. */
const houseOf = ({ body }: Facts): House => (body as HouseConsignmentMessage)[HOUSE];

function ofHouse({ isBroken, path: below, ...own }: Own<House, unknown> & WithPath) {
  const path = `${HOUSE}.${below}`;
  const find = (facts: Facts) => addFound([], isBroken(houseOf(facts), facts), path);
  return { ...own, levels, path, find };
}

type ListName = 'previousDocuments' | 'exportFromEU' | 'goodsItem';
type Item<Name extends ListName> = NonNullable<House[Name]>[number];
type OwnOfItem<Name extends ListName, Code> = Own<
  Item<Name>,
  Code,
  { house: House; index: number }
> & {
  /** The member of the item; without it the item itself. */
  member?: string;
};

function ofItem<Name extends ListName>(
  list: Name,
  { isBroken, member, ...own }: OwnOfItem<Name, unknown>,
) {
  const end = member === undefined ? '' : `.${member}`;
  const find = (facts: Facts) => {
    const found: Found[] = [];
    const house = houseOf(facts);
    // The cast is safe because each list has items of its own type.
    const items = (house[list] ?? []) as readonly Item<Name>[];
    for (const [index, item] of items.entries()) {
      const broken = isBroken(item, { ...facts, house, index });
      addFound(found, broken, `${HOUSE}.${list}[${index}]${end}`);
    }
    return found;
  };
  return { ...own, levels, path: `${HOUSE}.${list}[]${end}`, find };
}

/** A rule of each item of a list of a house consignment. */
export const itemRule = <Name extends ListName>(
  list: Name,
  own: OwnOfItem<Name, ValidationErrorCode>,
): Rule => ({ ...ofItem(list, own), phase: 'status', code: own.code });

/** What each item of a list needs for the house consignment to be complete. */
export const neededItemRule = <Name extends ListName>(
  list: Name,
  own: OwnOfItem<Name, IncompleteReason>,
): Rule => ({ ...ofItem(list, own), phase: 'completeness', code: own.code });
