// House consignments as the authority finds them, and what happened to one. Wire contract, section 7.
import { type Static, Type } from 'typebox';
import { transportDocumentTypeCodes } from './code-lists/transport-document-types.js';
import { HarmonizedSystemSubheadingCode } from './harmonized-system.js';
import { ContainerId, Mrn, ReceptacleId } from './identifiers.js';
import { OrganisationIdentifier } from './organisation.js';
import { paging } from './paging.js';
import { ActiveBorderTransportMeans, Routing, RoutingControlLocation } from './routing.js';
import { ONE_LINE_PATTERN, TransportDocument } from './transport-document.js';

/**
 * Where a house consignment is: each step it has gone alone, or both. `SIGNALLED` is presented and decided, so that
 * its signal was issued.
 */
export const HouseConsignmentState = Type.Enum(
  ['PRE_NOTIFIED', 'DECIDED', 'PRESENTED', 'SIGNALLED'],
  {
    description:
      '`PRE_NOTIFIED`: neither presented nor decided; `DECIDED`: decided, not presented; `PRESENTED`: presented, not decided; `SIGNALLED`: both, so that its signal was issued',
  },
);
export type HouseConsignmentState = Static<typeof HouseConsignmentState>;

const DocumentNumber = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 70, pattern: ONE_LINE_PATTERN, description }),
  );

const Time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }));

/** Which house consignments are found: those that all of the given members fit. */
export const HouseConsignmentQuery = Type.Object({
  mrn: Type.Optional(Mrn),
  documentNumber: DocumentNumber('Number of the house document'),
  type: Type.Optional(
    Type.Enum([...transportDocumentTypeCodes], { description: 'Type of the house document' }),
  ),
  masterDocumentNumber: DocumentNumber('Number of the master document'),
  receptacleId: Type.Optional(ReceptacleId),
  containerId: Type.Optional(ContainerId),
  organisation: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: ONE_LINE_PATTERN,
      description: 'Declarant or representative of the ENS, or one who presented',
    }),
  ),
  state: Type.Optional(HouseConsignmentState),
  office: Type.Optional(
    Type.String({ pattern: '^[A-Z]{2}[A-Z0-9]{6}$', description: 'Customs office of first entry' }),
  ),
  from: Time('Pre-notified then or later'),
  to: Time('Pre-notified before'),
  ...paging('The id of the last house consignment'),
});
export type HouseConsignmentQuery = Static<typeof HouseConsignmentQuery>;

const Id = Type.String({ format: 'uuid', description: 'Our own id of the house consignment' });
const Instant = (description: string) => Type.String({ format: 'date-time', description });

/** A house consignment as it stands. */
export const HouseConsignment = Type.Object(
  {
    id: Id,
    entrySummaryDeclarationMRN: Mrn,
    customsOfficeOfFirstEntry: Type.String(),
    declarant: OrganisationIdentifier,
    representative: Type.Optional(OrganisationIdentifier),
    transportDocumentHouseLevel: TransportDocument,
    transportDocumentMasterLevel: Type.Optional(TransportDocument),
    receptacleId: Type.Optional(ReceptacleId),
    containerId: Type.Optional(Type.Array(ContainerId)),
    harmonizedSystemSubheadingCode: Type.Optional(Type.Array(HarmonizedSystemSubheadingCode)),
    estimatedTimeOfArrival: Type.Optional(Type.String({ format: 'date-time' })),
    activeBorderTransportMeans: Type.Optional(ActiveBorderTransportMeans),
    state: HouseConsignmentState,
    routing: Type.Optional(Routing),
    routingControlLocation: Type.Optional(RoutingControlLocation),
    addedAfterPresentation: Type.Optional(
      Type.Object(
        {
          by: OrganisationIdentifier,
          at: Instant('When the request came'),
          requestId: Type.String({ format: 'uuid' }),
          level: Type.Enum([
            'MASTER_CONSIGNMENT',
            'CONTAINER',
            'RECEPTACLE',
            'ENTRY_SUMMARY_DECLARATION',
          ]),
        },
        {
          description:
            'The presentation of its declaration, master consignment, container or receptacle that came before it was added, and so did not present it. It is not presented until somebody presents it',
        },
      ),
    ),
    presented: Type.Optional(
      Type.Object(
        {
          by: OrganisationIdentifier,
          at: Instant('When the request came'),
          requestId: Type.String({ format: 'uuid' }),
        },
        { description: 'Who presented it first' },
      ),
    ),
    lastSignal: Type.Optional(
      Type.Object(
        {
          at: Instant('When it was issued'),
          routing: Routing,
          routingControlLocation: Type.Optional(RoutingControlLocation),
        },
        { description: 'The signal that was issued last' },
      ),
    ),
  },
  {
    $id: 'HouseConsignment',
    description: 'A house consignment as it stands; `routing` is the decision that applies',
  },
);
export type HouseConsignment = Static<typeof HouseConsignment>;

/** One thing that happened to a house consignment. */
export const HouseConsignmentEvent = Type.Object(
  {
    at: Instant('When it happened'),
    event: Type.Enum(
      [
        'PRE_NOTIFIED',
        'ADDED_AFTER_PRESENTATION',
        'CHANGED',
        'WITHDRAWN',
        'DECIDED',
        'PRESENTED',
        'SIGNALLED',
        'READ',
      ],
      {
        description:
          '`ADDED_AFTER_PRESENTATION`: its declaration, master consignment, container or receptacle was presented before, and that did not present it; `SIGNALLED`: an organisation was issued a signal; `READ`: one of its clients was given that signal for the first time',
      },
    ),
    organisation: Type.Optional(OrganisationIdentifier),
    client: Type.Optional(Type.String({ description: 'The client of the organisation' })),
    requestId: Type.Optional(Type.String({ description: 'The id of the request' })),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'What else there is to tell' }),
    ),
  },
  {
    $id: 'HouseConsignmentEvent',
    description:
      'One thing that happened; without an organisation it was Landfall itself. Of `SIGNALLED` the organisation is whose signal it is, of `READ` who read.',
  },
);
export type HouseConsignmentEvent = Static<typeof HouseConsignmentEvent>;
