// Routing: whether a presented house consignment goes to control or to entry. Wire contract, section 5.
import { type Static, Type } from 'typebox';
import { ContainerId, Mrn, ReceptacleId } from './identifiers.js';
import { paging } from './paging.js';
import { ONE_LINE_PATTERN, TransportDocument } from './transport-document.js';

/** `TO_CONTROL`: deliver to the place of control. `TO_ENTRY`: may be released once cleared, not before. */
export const Routing = Type.Enum(['TO_CONTROL', 'TO_ENTRY'], {
  description:
    '`TO_CONTROL`: deliver to the agreed place of control; `TO_ENTRY`: may be released when other customs procedures are fulfilled',
});
export type Routing = Static<typeof Routing>;

/** Where a consignment that goes to control is controlled: at the border, or at its destination. */
export const RoutingControlLocation = Type.Enum(['ON_ENTRY', 'AFTER_ENTRY']);
export type RoutingControlLocation = Static<typeof RoutingControlLocation>;

/** The means of transport that crosses the border. */
export const ActiveBorderTransportMeans = Type.Object({
  identificationNumber: Type.String({ minLength: 1, maxLength: 35, pattern: ONE_LINE_PATTERN }),
  typeOfIdentification: Type.String({ minLength: 1, maxLength: 2, pattern: ONE_LINE_PATTERN }),
});
export type ActiveBorderTransportMeans = Static<typeof ActiveBorderTransportMeans>;

/** The routing of one house consignment, issued when it is both presented and decided. */
export const RoutingSignal = Type.Object(
  {
    entrySummaryDeclarationMRN: Mrn,
    receptacleId: Type.Optional(ReceptacleId),
    transportDocumentHouseLevel: Type.Object({
      ...TransportDocument.properties,
      referenceNumber: Type.String({
        description: 'Repeats documentNumber, for clients written for the older name',
      }),
    }),
    transportDocumentMasterLevel: Type.Optional(TransportDocument),
    containerId: Type.Optional(Type.Array(ContainerId)),
    estimatedTimeOfArrival: Type.Optional(Type.String({ format: 'date-time' })),
    activeBorderTransportMeans: Type.Optional(ActiveBorderTransportMeans),
    routingResult: Type.Object({
      id: Type.String({ format: 'uuid', description: 'The marker to go on from' }),
      routing: Routing,
      routingControlLocation: Type.Optional(RoutingControlLocation),
      documentIssueDate: Type.String({
        format: 'date-time',
        description: 'When the signal was issued',
      }),
    }),
  },
  {
    $id: 'RoutingSignal',
    description:
      'The routing of one house consignment; of several signals for a consignment the last one applies',
  },
);
export type RoutingSignal = Static<typeof RoutingSignal>;

/** The query of the routing signals. */
export const RoutingQuery = Type.Object(paging('The routingResult.id of the last signal'));
export type RoutingQuery = Static<typeof RoutingQuery>;
