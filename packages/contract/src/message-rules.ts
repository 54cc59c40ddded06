// The rules of messages that their schemas do not express. `compileCheck` checks them wherever such a message is read.
import type { TSchema } from 'typebox';
import type { PreNotifiedHouseConsignment } from './entry-summary-declaration.js';
import type { ValidationError } from './errors.js';
import type { Routing, RoutingControlLocation } from './routing.js';

/** A rule: the errors of a message that its schema accepts. Fields are paths from the message's root. */
type MessageRule<Message> = (message: Message) => ValidationError[];

/** A message with a routing, whichever it is. */
type Routed = {
  routing?: Routing | undefined;
  routingControlLocation?: RoutingControlLocation | undefined;
};

const locationOnlyWithControl: MessageRule<Routed> = ({ routing, routingControlLocation }) =>
  routingControlLocation === undefined || routing === 'TO_CONTROL'
    ? []
    : [
        {
          field: 'routingControlLocation',
          error: 'must be left out unless routing is TO_CONTROL',
          code: 'FORMAT',
        },
      ];

type WithHouseConsignments = { houseConsignments: readonly PreNotifiedHouseConsignment[] };

const differentHouseConsignments: MessageRule<WithHouseConsignments> = ({ houseConsignments }) => {
  const seen = new Set<string>();
  return houseConsignments.flatMap((house, index) => {
    const before = seen.size;
    seen.add(houseConsignmentKey(house));
    if (seen.size > before) return [];
    const field = `houseConsignments.${index}.transportDocumentHouseLevel`;
    return [{ field, error: 'must not be given twice in one declaration', code: 'FORMAT' }];
  });
};

/** Identifies a house consignment within its ENS. No type contains a space. */
export function houseConsignmentKey({
  transportDocumentHouseLevel: { type, documentNumber },
}: PreNotifiedHouseConsignment): string {
  return `${type} ${documentNumber}`;
}

/** The rule of each message that has one, by the name of its schema (`$id`). */
const rules = {
  RoutingDecision: locationOnlyWithControl,
  DatasetDecision: locationOnlyWithControl,
  RoutingRule: locationOnlyWithControl,
  PreNotifiedHouseConsignment: locationOnlyWithControl,
  EntrySummaryDeclaration: differentHouseConsignments,
  EntrySummaryDeclarationEntry: differentHouseConsignments,
};

/** The members of a schema that are searched for messages with a rule. */
type SearchedSchema = {
  $id?: string;
  properties?: Record<string, SearchedSchema>;
  items?: SearchedSchema;
  anyOf?: readonly SearchedSchema[];
  /** Of lines. */
  contentSchema?: SearchedSchema;
};

/**
 * The names of the messages within a schema that have a rule.
 *
 * @example
 * messagesWithRules(RoutingProfile); // ['RoutingRule']
 */
export function messagesWithRules(schema: TSchema): string[] {
  return [...new Set(namesWithRules(schema))];
}

function namesWithRules(schema: SearchedSchema): string[] {
  const { $id = '', properties = {}, items, anyOf = [], contentSchema } = schema;
  const parts = [...Object.values(properties), ...anyOf, items, contentSchema];
  return [
    ...(Object.hasOwn(rules, $id) ? [$id] : []),
    ...parts.flatMap((part) => (part === undefined ? [] : namesWithRules(part))),
  ];
}

/** Finds the errors of a value that its schema accepts. */
export type FindErrors = (value: unknown) => ValidationError[];

/** The rules of a message and of those within it; `undefined` if there are none. */
export function compileRules(schema: SearchedSchema): FindErrors | undefined {
  const { $id = '', properties = {}, items } = schema;
  const finders: FindErrors[] = [];
  // The cast is true because a rule is that of the schema which has accepted the message.
  const own = Object.hasOwn(rules, $id) ? rules[$id as keyof typeof rules] : undefined;
  if (own !== undefined) finders.push(own as FindErrors);
  for (const [name, member] of Object.entries(properties)) {
    const ofMember = compileRules(member);
    if (ofMember === undefined) continue;
    finders.push((message) => {
      // The cast is true because the schema has accepted an object.
      const value = (message as Record<string, unknown>)[name];
      return value === undefined ? [] : ofMember(value).map((error) => within(name, error));
    });
  }
  const ofItem = items === undefined ? undefined : compileRules(items);
  if (ofItem !== undefined) {
    // The cast is true because the schema has accepted a list.
    finders.push((list) =>
      (list as unknown[]).flatMap((item, index) =>
        ofItem(item).map((error) => within(String(index), error)),
      ),
    );
  }
  if (finders.length === 0) return undefined;
  return (value) => finders.flatMap((find) => find(value));
}

function within(name: string, { field, ...error }: ValidationError): ValidationError {
  return { field: field === '' ? name : `${name}.${field}`, ...error };
}
