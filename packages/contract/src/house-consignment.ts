// House consignments as the authority finds them, and their history.
import { type Static, Type } from 'typebox';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import { TransportDocumentType } from './code-lists/transport-document-types.js';
import { HarmonizedSystemSubheadingCode } from './harmonized-system.js';
import {
  ContainerId,
  declarationMrns,
  Mrn,
  ReceptacleId,
  ReceptacleOfGoods,
} from './identifiers.js';
import { OrganisationIdentifier } from './organisation.js';
import { paging, uuidQuery } from './paging.js';
import { Identifier } from './patterns.js';
import { Instant } from './quantities.js';
import { ActiveBorderTransportMeans, IssuedRouting, RoutingControlLocation } from './routing.js';
import { CurrentDecision, DecidedRouting } from './routing-decision.js';
import { TransportDocument } from './transport-document.js';

/** Whether a house consignment is presented, decided, or both, so that its signal was issued. */
export const HouseConsignmentState = Type.Enum(
  ['PRE_NOTIFIED', 'DECIDED', 'PRESENTED', 'SIGNALLED', 'WITHDRAWN'],
  {
    $id: 'HouseConsignmentState',
    description:
      '`PRE_NOTIFIED`: neither presented nor decided; `DECIDED`: decided, not presented; `PRESENTED`: presented, not decided; `SIGNALLED`: both, and its signal was issued; `WITHDRAWN`: its declaration does not list it any more, or was withdrawn',
  },
);
export type HouseConsignmentState = Static<typeof HouseConsignmentState>;

const Time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }));

/** The query of the search: house consignments that match all given members. */
export const HouseConsignmentQuery = Type.Object({
  mrn: Type.Optional(Mrn),
  documentNumber: Type.Optional(Identifier(70, 'Number of the house document, in any spelling')),
  type: Type.Optional(TransportDocumentType),
  masterDocumentNumber: Type.Optional(
    Identifier(70, 'Number of the master document, in any spelling'),
  ),
  receptacleId: Type.Optional(ReceptacleId),
  containerId: Type.Optional(ContainerId),
  organisation: Type.Optional(
    Identifier(100, 'Declarant or representative of the ENS, or a presenter'),
  ),
  state: Type.Optional(HouseConsignmentState),
  office: Type.Optional(
    Type.String({ pattern: CUSTOMS_OFFICE_PATTERN, description: 'Customs office of first entry' }),
  ),
  profile: Type.Optional(Identifier(64, 'The routing profile that made the current decision')),
  profileVersion: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version of the profile that made the current decision',
    }),
  ),
  profileRule: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The rule, counted from 1, of the profile that made the current decision',
    }),
  ),
  run: uuidQuery('The routing run that made the current decision'),
  from: Time('Pre-notified at this time or later'),
  to: Time('Pre-notified before this time'),
  ...paging('The id of the last house consignment'),
});
export type HouseConsignmentQuery = Static<typeof HouseConsignmentQuery>;

/** Maximum and default number of house consignments that a search returns. */
export const SEARCH_LIMIT = 50;

/** Number of characters from which on a search finds something, and of the longest identifier. */
export const SEARCH_LENGTH = { min: 3, max: 70 };

/** How many identifiers of each kind a search examines. */
export const SEARCH_EXAMINED = 1000;

/** The query of the search by the beginning of an identifier. */
export const HouseConsignmentSearchQuery = Type.Object({
  identifier: Type.String({
    ...Identifier(SEARCH_LENGTH.max),
    minLength: SEARCH_LENGTH.min,
    description:
      'The first characters of an MRN, of the number of a house or master document, of a receptacle, or of a container; capitals and blanks do not matter',
    examples: ['HC00'],
  }),
  state: Type.Optional(HouseConsignmentState),
  office: Type.Optional(
    Type.String({ pattern: CUSTOMS_OFFICE_PATTERN, description: 'Customs office of first entry' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SEARCH_LIMIT,
      default: SEARCH_LIMIT,
      description: 'Maximum number of house consignments',
    }),
  ),
});
export type HouseConsignmentSearchQuery = Static<typeof HouseConsignmentSearchQuery>;

const Id = Type.String({ format: 'uuid', description: 'The id of the house consignment' });

const FirstPresentation = Type.Object(
  {
    by: OrganisationIdentifier,
    at: Instant('When the request was received'),
    requestId: Type.String({ format: 'uuid' }),
  },
  { $id: 'FirstPresentation', description: 'The first presentation' },
);

const EarlierPresentation = Type.Object(
  {
    ...FirstPresentation.properties,
    level: Type.Enum([
      'MASTER_CONSIGNMENT',
      'CONTAINER',
      'RECEPTACLE',
      'ENTRY_SUMMARY_DECLARATION',
    ]),
  },
  {
    $id: 'EarlierPresentation',
    description:
      'The presentation of its declaration, master consignment, container or receptacle that was made before this house consignment was added. It did not present this house consignment, which is not presented until somebody presents it',
  },
);

const LastSignal = Type.Object(
  {
    at: Instant('When it was issued'),
    routing: IssuedRouting,
    routingControlLocation: Type.Optional(RoutingControlLocation),
  },
  { $id: 'LastSignal', description: 'The last signal' },
);

const Withdrawal = Type.Object(
  {
    at: Instant('When it was withdrawn'),
    by: Type.Optional(OrganisationIdentifier),
    requestId: Type.String({ description: 'The id of the request' }),
  },
  {
    $id: 'Withdrawal',
    description: 'Its withdrawal; `by` is absent if Landfall itself withdrew it',
  },
);

const RoutingDifference = Type.Object(
  {
    number: Type.Integer({ minimum: 0, description: 'The number of the decision' }),
    routing: DecidedRouting,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    decidedAt: Instant('When it was registered'),
  },
  {
    $id: 'RoutingDifference',
    description:
      'The routing of a later registration, which differs from the current decision and did not replace it. It disappears with the next decision',
  },
);

/** A house consignment in its current state. */
export const HouseConsignment = Type.Object(
  {
    id: Id,
    ...declarationMrns,
    customsOfficeOfFirstEntry: Type.Optional(
      Type.String({ description: 'Absent for goods that were lodged as a house consignment' }),
    ),
    declarant: OrganisationIdentifier,
    representative: Type.Optional(OrganisationIdentifier),
    transportDocumentHouseLevel: TransportDocument,
    transportDocumentMasterLevel: Type.Optional(TransportDocument),
    receptacleId: Type.Optional(ReceptacleOfGoods),
    containerId: Type.Optional(Type.Array(ContainerId)),
    harmonizedSystemSubheadingCode: Type.Optional(Type.Array(HarmonizedSystemSubheadingCode)),
    estimatedTimeOfArrival: Type.Optional(Type.String({ format: 'date-time' })),
    activeBorderTransportMeans: Type.Optional(ActiveBorderTransportMeans),
    state: HouseConsignmentState,
    routing: Type.Optional(IssuedRouting),
    routingControlLocation: Type.Optional(RoutingControlLocation),
    decision: Type.Optional(CurrentDecision),
    difference: Type.Optional(RoutingDifference),
    withdrawn: Type.Optional(Withdrawal),
    addedAfterPresentation: Type.Optional(EarlierPresentation),
    presented: Type.Optional(FirstPresentation),
    lastSignal: Type.Optional(LastSignal),
  },
  {
    $id: 'HouseConsignment',
    description:
      'A house consignment in its current state; `routing` is that of the current decision, and `decision` says more of it',
  },
);
export type HouseConsignment = Static<typeof HouseConsignment>;

/** What a search has found. */
export const HouseConsignmentSearch = Type.Object(
  {
    houseConsignments: Type.Array(HouseConsignment, {
      description: 'In the order in which they were pre-notified',
    }),
    complete: Type.Boolean({
      description: 'Whether these are all; if not, more characters of the identifier are needed',
    }),
  },
  { $id: 'HouseConsignmentSearch', description: 'House consignments that a search has found' },
);
export type HouseConsignmentSearch = Static<typeof HouseConsignmentSearch>;

const HouseConsignmentEventType = Type.Enum(
  [
    'PRE_NOTIFIED',
    'ADDED_AFTER_PRESENTATION',
    'CHANGED',
    'WITHDRAWN',
    'RETURNED',
    'DECIDED',
    'PRESENTED',
    'SIGNALLED',
    'READ',
  ],
  {
    $id: 'HouseConsignmentEventType',
    description:
      '`ADDED_AFTER_PRESENTATION`: its declaration, master consignment, container or receptacle had already been presented, which did not present this house consignment; `CHANGED`: members of it, or of its declaration, have other values; `from` and `to` in its details have both; `WITHDRAWN`: its declaration does not list it any more; `RETURNED`: it is listed again; `SIGNALLED`: a signal was issued to an organisation; `READ`: a client of the organisation read that signal for the first time; `days` in its details: on how many days, in UTC, it has read it',
  },
);

/** An event in the history of a house consignment. */
export const HouseConsignmentEvent = Type.Object(
  {
    at: Instant('When it happened'),
    event: HouseConsignmentEventType,
    organisation: Type.Optional(OrganisationIdentifier),
    client: Type.Optional(Type.String({ description: 'The client of the organisation' })),
    requestId: Type.Optional(Type.String({ description: 'The id of the request' })),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'More data of the event' }),
    ),
  },
  {
    $id: 'HouseConsignmentEvent',
    description:
      'An event in the history of a house consignment. `organisation` is absent if Landfall itself was the cause. For `SIGNALLED` it is the recipient of the signal, for `READ` the reader.',
  },
);
export type HouseConsignmentEvent = Static<typeof HouseConsignmentEvent>;
