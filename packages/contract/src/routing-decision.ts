// Routing decisions on house consignments, and their results.
import { type Static, Type } from 'typebox';
import { ValidationError } from './errors.js';
import { Mrn, UUID_PATTERN } from './identifiers.js';
import { OrganisationIdentifier } from './organisation.js';
import { pageLimit, uuidQuery } from './paging.js';
import { definePattern, Identifier, OneLine } from './patterns.js';
import { Instant } from './quantities.js';
import { IssuedRouting, RoutingControlLocation } from './routing.js';
import { TransportDocument } from './transport-document.js';

/** Maximum number of decisions in a JSON array; NDJSON may be of any length. */
export const DECISIONS_OF_AN_ARRAY = 2000;

/** A house consignment and the number of a decision on it. */
const DECISION_MARKER_PATTERN = definePattern(
  `${UUID_PATTERN.slice(0, -1)}\\.[0-9]{1,9}$`,
  'must be a UUID, a dot and a number',
);

/** Who decided. Which decisions replace which is in the description. */
export const DecisionOrigin = Type.Enum(['OFFICER', 'ENGINE', 'REGISTRATION', 'PROFILE'], {
  $id: 'DecisionOrigin',
  description:
    'Who decided: `OFFICER`: a person; `ENGINE`: a system of the authority; `REGISTRATION`: the message that lodged the goods; `PROFILE`: a routing profile. A decision of an officer is replaced by an officer, or by an engine that names it in `expected`; one of an engine by officers and engines; one of a registration or a profile also by a registration. A profile decides only what nobody else has decided',
});
export type DecisionOrigin = Static<typeof DecisionOrigin>;

/** What a decision says: what its signals say, or that the goods are undecided again. */
export const DecidedRouting = Type.Enum([...IssuedRouting.enum, 'UNDECIDED'], {
  $id: 'DecidedRouting',
  description:
    '`ENTRY_PENDING` and `ENTRY_DENIED` only where the installation has switched on extended results. `UNDECIDED` takes the current decision back, and requires a `reason`. Presented goods that are `TO_ENTRY` may have been released, so it is refused for them with `RELEASED`',
});
export type DecidedRouting = Static<typeof DecidedRouting>;

const DecisionNumber = Type.Integer({
  minimum: 0,
  description: 'The number of the decision among those on its house consignment',
});

/** One decision on a house consignment. */
export const RoutingDecision = Type.Object(
  {
    mrn: Type.Optional(Mrn),
    transportDocumentHouseLevel: TransportDocument,
    routing: DecidedRouting,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    reason: Type.Optional(
      OneLine(500, 'The reason, for the history; only the authority can read it'),
    ),
    decisionId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'An id of the caller, used once. Sent again, the decision is found and not made again: `REPEATED`, whatever was decided since. Send it with everything that may be sent twice',
      }),
    ),
    expected: Type.Optional(
      Type.Union([DecisionNumber, Type.Null()], {
        description:
          'The number of the current decision that the caller has seen; null: none. With another current decision, nothing is stored: `CONFLICT`',
      }),
    ),
  },
  {
    $id: 'RoutingDecision',
    description:
      'A decision on one house consignment. `mrn` is required if the document is under more than one ENS; `routingControlLocation` requires `TO_CONTROL`',
    examples: [
      {
        mrn: '23NO00000000000003',
        transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
        routing: 'TO_CONTROL',
        routingControlLocation: 'ON_ENTRY',
        reason: 'the weight does not match the description',
      },
    ],
  },
);
export type RoutingDecision = Static<typeof RoutingDecision>;

/** The current decision on a house consignment. */
export const CurrentDecision = Type.Object(
  {
    number: DecisionNumber,
    routing: DecidedRouting,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    origin: DecisionOrigin,
    decidedAt: Instant('When it was decided'),
  },
  { $id: 'CurrentDecision', description: 'The current decision on a house consignment' },
);

const DecidingProfile = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer(),
    rule: Type.Optional(Type.Integer({ description: 'The number of the rule, from 1' })),
  },
  { $id: 'DecidingProfile', description: 'The routing profile that decided' },
);

/** A decision as it is kept. */
export const KeptDecision = Type.Object(
  {
    number: DecisionNumber,
    houseConsignmentId: Type.String({ format: 'uuid' }),
    routing: DecidedRouting,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    origin: DecisionOrigin,
    takesEffect: Type.Boolean({
      description:
        'Whether it became the current decision. The routing of a registration does not if an officer or an engine has decided otherwise',
    }),
    decidedAt: Instant('When it was decided'),
    decidedBy: Type.Optional(OrganisationIdentifier),
    client: Type.Optional(Type.String({ description: 'The client of the organisation' })),
    requestId: Type.String({ description: 'The id of the request' }),
    reason: Type.Optional(Type.String()),
    decisionId: Type.Optional(Type.String({ format: 'uuid' })),
    profile: Type.Optional(DecidingProfile),
    run: Type.Optional(
      Type.String({ format: 'uuid', description: 'The routing run that decided' }),
    ),
  },
  {
    $id: 'KeptDecision',
    description:
      'A decision on a house consignment. Decisions are kept in the order of their numbers and never change; the last one that takes effect is the current one. `decidedBy` is absent if Landfall itself decided',
  },
);
export type KeptDecision = Static<typeof KeptDecision>;

/** The query of decisions: those that match all given members. */
export const RoutingDecisionQuery = Type.Object({
  decidedBy: Type.Optional(Identifier(100, 'The organisation that decided')),
  client: Type.Optional(Identifier(255, 'The client, or the person, that decided')),
  origin: Type.Optional(DecisionOrigin),
  profile: Type.Optional(Identifier(64, 'The name of the routing profile that decided')),
  run: uuidQuery('The routing run that decided'),
  decisionId: uuidQuery(
    'The id that the client gave its decision: of your organisation, unless `decidedBy` names another one',
  ),
  reason: Type.Optional(Identifier(100, 'A part of the reason; capitals do not matter')),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Decided at this time or later' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Decided before this time' })),
  marker: Type.Optional(
    Type.String({
      pattern: DECISION_MARKER_PATTERN,
      description:
        'The house consignment and the number of the last decision that was read, as `Link` has them; the page begins after it',
    }),
  ),
  limit: pageLimit,
});
export type RoutingDecisionQuery = Static<typeof RoutingDecisionQuery>;

/** How many decisions one page of a search examines. */
export const DECISIONS_EXAMINED = 10_000;

/** The result of one decision. */
export const RoutingDecisionResult = Type.Object(
  {
    line: Type.Integer({
      minimum: 1,
      description:
        'The number of the decision in the request: its line, or its position in the array, from 1',
    }),
    status: Type.Enum(['DECIDED', 'UNCHANGED', 'REPEATED', 'CONFLICT', 'REFUSED'], {
      description:
        "`DECIDED`: the decision is stored and is the current one; `UNCHANGED`: the routing equals the current one; the decision is stored if it comes from somebody else, has another reason or a `decisionId`, and then protects what it confirms; `REPEATED`: a decision with this `decisionId` was stored before, and the other members are those of its first result; `CONFLICT`: nothing was stored, because the current decision, in `current`, is not the `expected` one, or is an officer's and none was expected; `REFUSED`: nothing was stored, and `validationErrors` has the reasons",
    }),
    houseConsignmentId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The id of the house consignment' }),
    ),
    number: Type.Optional(DecisionNumber),
    current: Type.Optional(CurrentDecision),
    signals: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The number of organisations to which a signal was issued; 0 if the consignment is not presented',
      }),
    ),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, { description: "Fields are paths from the decision's root" }),
    ),
  },
  { $id: 'RoutingDecisionResult', description: 'The result of one decision' },
);
export type RoutingDecisionResult = Static<typeof RoutingDecisionResult>;
