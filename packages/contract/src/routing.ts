// Routing: whether a presented house consignment goes to control or to entry.
import { type Static, Type } from 'typebox';
import { ContainerId, declarationMrns, ReceptacleOfGoods } from './identifiers.js';
import { feedPaging } from './paging.js';
import { Identifier, OneLine } from './patterns.js';
import { TransportDocument } from './transport-document.js';

/** `TO_CONTROL`: deliver to the place of control. `TO_ENTRY`: may be released once cleared, not before. */
export const Routing = Type.Enum(['TO_CONTROL', 'TO_ENTRY'], {
  $id: 'Routing',
  description:
    '`TO_CONTROL`: deliver to the agreed place of control; `TO_ENTRY`: may be released when other customs procedures are fulfilled',
});
export type Routing = Static<typeof Routing>;

/** Results that only an installation with extended results has. */
export const EXTENDED_ROUTINGS = ['ENTRY_PENDING', 'ENTRY_DENIED'] as const;

/** What a signal says: a routing, or a result that only an installation with extended results has. */
export const IssuedRouting = Type.Enum(['TO_CONTROL', 'TO_ENTRY', ...EXTENDED_ROUTINGS], {
  $id: 'IssuedRouting',
  description:
    'As `Routing`, and only where the installation has switched on extended results (`LANDFALL_ROUTING_RESULTS`): `ENTRY_PENDING`: keep the goods, another signal follows; `ENTRY_DENIED`: the goods may not enter. Goods are released with `TO_ENTRY` alone, whatever else a signal says',
});
export type IssuedRouting = Static<typeof IssuedRouting>;

/** Where the control takes place. */
export const RoutingControlLocation = Type.Enum(['ON_ENTRY', 'AFTER_ENTRY'], {
  $id: 'RoutingControlLocation',
  description:
    'Where the control takes place. `ON_ENTRY`: at the border; `AFTER_ENTRY`: at the destination',
});
export type RoutingControlLocation = Static<typeof RoutingControlLocation>;

/** The means of transport that crosses the border. */
export const ActiveBorderTransportMeans = Type.Object(
  {
    identificationNumber: Identifier(35),
    typeOfIdentification: OneLine(2),
  },
  {
    $id: 'ActiveBorderTransportMeans',
    description: 'The means of transport that crosses the border',
  },
);
export type ActiveBorderTransportMeans = Static<typeof ActiveBorderTransportMeans>;

const RoutingSignalTransportDocument = Type.Object(
  {
    ...TransportDocument.properties,
    referenceNumber: Type.String({
      description: 'Equal to documentNumber, for clients that use the older name',
    }),
  },
  {
    $id: 'RoutingSignalTransportDocument',
    description: 'The transport document of the house consignment',
  },
);

const RoutingResult = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The marker to continue from' }),
    routing: IssuedRouting,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    documentIssueDate: Type.String({
      format: 'date-time',
      description: 'When the signal was issued',
    }),
  },
  { $id: 'RoutingResult', description: 'The decision' },
);

/** The routing of one house consignment, issued when it is both presented and decided. */
export const RoutingSignal = Type.Object(
  {
    ...declarationMrns,
    receptacleId: Type.Optional(ReceptacleOfGoods),
    transportDocumentHouseLevel: RoutingSignalTransportDocument,
    transportDocumentMasterLevel: Type.Optional(TransportDocument),
    containerId: Type.Optional(Type.Array(ContainerId)),
    estimatedTimeOfArrival: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Of the ENS, or of the transport with which goods that were lodged arrived; absent if they were presented without one',
      }),
    ),
    scheduledTimeOfArrival: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Of the transport with which goods that were lodged arrived',
      }),
    ),
    activeBorderTransportMeans: Type.Optional(ActiveBorderTransportMeans),
    routingResult: RoutingResult,
  },
  {
    $id: 'RoutingSignal',
    description:
      'The routing of one house consignment. If there are several signals for a consignment, the last one applies',
  },
);
export type RoutingSignal = Static<typeof RoutingSignal>;

/** The query of the routing signals. */
export const RoutingQuery = Type.Object(feedPaging('The routingResult.id of the last signal'));
export type RoutingQuery = Static<typeof RoutingQuery>;
