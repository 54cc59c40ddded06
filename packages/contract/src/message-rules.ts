// The rules of messages that their schemas do not express. `compileCheck` checks them wherever such a message is read.
import type { TSchema } from 'typebox';
import type { PreNotifiedHouseConsignment } from './entry-summary-declaration.js';
import type { ValidationError } from './errors.js';
import { checkGoodsItemView } from './goods-items/view.js';
import { identifierKey } from './identifier-key.js';
import type { TransportArrival } from './movement/transport-arrival.js';
import type { RoutingControlLocation } from './routing.js';
import type { DecidedRouting } from './routing-decision.js';
import type { RoutingRunSelection } from './routing-run.js';

/** A rule: the errors of a message that its schema accepts. Fields are paths from the message's root. */
type MessageRule<Message> = (message: Message) => ValidationError[];

/** A message with a routing, whichever it is. */
type Routed = {
  routing?: DecidedRouting | undefined;
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

const decision: MessageRule<Routed & { reason?: string }> = (message) => [
  ...locationOnlyWithControl(message),
  ...(message.routing === 'UNDECIDED' && message.reason === undefined
    ? [
        {
          field: 'reason',
          error: 'is required where routing is UNDECIDED',
          code: 'REQUIRED' as const,
        },
      ]
    : []),
];

const filtersOrIds: MessageRule<RoutingRunSelection> = ({ houseConsignmentIds, ...filters }) => {
  if (houseConsignmentIds !== undefined || Object.keys(filters).length > 0) return [];
  const error = 'must have a filter or houseConsignmentIds';
  return [{ field: '', error, code: 'REQUIRED' }];
};

type WithMrn = {
  entrySummaryDeclarationMRN?: string | undefined;
  houseConsignmentMRN?: string | undefined;
};

/** In the schema, programs that generate classes from it would read it as a choice between two. */
const oneMrn: MessageRule<WithMrn> = ({ entrySummaryDeclarationMRN, houseConsignmentMRN }) => {
  if ((entrySummaryDeclarationMRN === undefined) !== (houseConsignmentMRN === undefined)) return [];
  const error = 'must be there, or houseConsignmentMRN, and not both';
  return [{ field: 'entrySummaryDeclarationMRN', error, code: 'REQUIRED' }];
};

const oneTransport: MessageRule<TransportArrival> = ({
  mrn,
  mode,
  identificationNumber,
  conveyanceReferenceNumber,
}) => {
  const seen = { mode, identificationNumber, conveyanceReferenceNumber };
  if (mrn !== undefined) {
    const error = 'must be left out beside mrn';
    return Object.entries(seen).flatMap(([field, value]) =>
      value === undefined ? [] : [{ field, error, code: 'INCOMPATIBLE' }],
    );
  }
  const isNamed = identificationNumber !== undefined || conveyanceReferenceNumber !== undefined;
  const needed = 'is required without mrn';
  return [
    ...(mode === undefined ? [{ field: 'mode', error: needed, code: 'REQUIRED' as const }] : []),
    ...(isNamed
      ? []
      : [
          {
            field: 'identificationNumber',
            error: 'is required without mrn and conveyanceReferenceNumber',
            code: 'REQUIRED' as const,
          },
        ]),
  ];
};

type WithHouseConsignments = { houseConsignments: readonly PreNotifiedHouseConsignment[] };

/** Whether two spellings of one document are two goods depends on what is registered: that is no rule of the message. */
const differentHouseConsignments: MessageRule<WithHouseConsignments> = ({ houseConsignments }) => {
  const seen = new Set<string>();
  return houseConsignments.flatMap(({ transportDocumentHouseLevel }, index) => {
    const { type, documentNumber } = transportDocumentHouseLevel;
    const document = `${type} ${documentNumber}`;
    if (!seen.has(document)) {
      seen.add(document);
      return [];
    }
    const field = `houseConsignments.${index}.transportDocumentHouseLevel`;
    return [{ field, error: 'must not be given twice in one declaration', code: 'FORMAT' }];
  });
};

/**
 * The error of a house document that only differs in spelling from another one of its declaration.
 *
 * @param document the path of the document
 * @param other where the other one is
 */
export function anotherSpelling(document: string, other: string): ValidationError {
  return {
    field: `${document}.documentNumber`,
    error: `must not be the same document as in ${other}: they differ only in capitals, blanks or composed letters`,
    code: 'FORMAT',
  };
}

/** Identifies a house consignment within its ENS, however its document is spelled. No type contains a space. */
export function houseConsignmentKey({
  transportDocumentHouseLevel: { type, documentNumber },
}: Pick<PreNotifiedHouseConsignment, 'transportDocumentHouseLevel'>): string {
  return `${type} ${identifierKey(documentNumber)}`;
}

/** The rule of each message that has one, by the name of its schema (`$id`). */
const rules = {
  RoutingDecision: decision,
  DatasetDecision: locationOnlyWithControl,
  RoutingRule: locationOnlyWithControl,
  NewRoutingRun: locationOnlyWithControl,
  RoutingRunSelection: filtersOrIds,
  PreNotifiedHouseConsignment: locationOnlyWithControl,
  EntrySummaryDeclaration: differentHouseConsignments,
  EntrySummaryDeclarationEntry: differentHouseConsignments,
  RoutingSignal: oneMrn,
  CheckedConsignment: oneMrn,
  HouseConsignment: oneMrn,
  UndecidedArrival: oneMrn,
  TransportArrival: oneTransport,
  GoodsItemView: checkGoodsItemView,
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
