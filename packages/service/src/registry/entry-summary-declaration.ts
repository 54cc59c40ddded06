// What is pre-notified: an entry summary declaration (ENS) and its house consignments. Wire contract, section 7.
import type {
  ActiveBorderTransportMeans,
  Routing,
  RoutingControlLocation,
  TransportDocument,
} from '@landfall/contract';

/** One house consignment of an ENS; `routing` is a decision made beforehand. */
export type PreNotifiedHouseConsignment = {
  transportDocumentHouseLevel: TransportDocument;
  transportDocumentMasterLevel?: TransportDocument;
  receptacleId?: string;
  containerId?: readonly string[];
  routing?: Routing;
  routingControlLocation?: RoutingControlLocation;
};

/** An ENS. Organisations are written as tokens name them. */
export type EntrySummaryDeclaration = {
  mrn: string;
  customsOfficeOfFirstEntry: string;
  declarant: string;
  representative?: string;
  /** ISO 8601, UTC. */
  estimatedTimeOfArrival?: string;
  activeBorderTransportMeans?: ActiveBorderTransportMeans;
  houseConsignments: readonly PreNotifiedHouseConsignment[];
};

/**
 * What a routing signal says of a house consignment, up to its routing result: JSON text without the closing
 * brace. It is kept with the consignment, so that issuing a signal serialises nothing. Wire contract, section 5.
 */
export function renderSignalHead(
  declaration: EntrySummaryDeclaration,
  house: PreNotifiedHouseConsignment,
): string {
  const { documentNumber, type } = house.transportDocumentHouseLevel;
  const signal = {
    entrySummaryDeclarationMRN: declaration.mrn,
    receptacleId: house.receptacleId,
    transportDocumentHouseLevel: { documentNumber, referenceNumber: documentNumber, type },
    transportDocumentMasterLevel: house.transportDocumentMasterLevel,
    containerId: house.containerId,
    estimatedTimeOfArrival: declaration.estimatedTimeOfArrival,
    activeBorderTransportMeans: declaration.activeBorderTransportMeans,
  };
  return JSON.stringify(signal).slice(0, -1);
}
