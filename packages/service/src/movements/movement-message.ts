// A movement message as it is stored: what it is found by, the parties that it names, and its goods. Pure: no database.
import {
  type HouseConsignmentMessage,
  isContainerId,
  type MasterConsignmentMessage,
  type MovementSummary,
  type PreNotifiedHouseConsignment,
  type TransportMessage,
} from '@landfall/contract';
import type { LodgedFacts } from '../routing/compile-profile.js';
import type { MessageKind } from './message-kind.js';

/** A message that keeps the rules, with its level, mode and key. */
export type MovementMessage = MessageKind & {
  /** As JSON text, as it was read. */
  text: string;
  key: string;
  /** Why it is incomplete; empty if it is complete, or no house consignment. */
  reasons: readonly string[];
  /** What identifies it in lists. */
  listed: ListedMembers;
  /** The identification numbers of parties, as the message has them. */
  representative: string | undefined;
  carrier: string | undefined;
  /** What it names, by which others are coupled to it, in the order of the message. */
  references: readonly MovementReference[];
  /** Of a transport: when it is estimated to arrive. */
  estimatedAt: string | undefined;
  /** Of a transport: the customs office of first entry. */
  office: string | undefined;
  /** Of a consignment: its gross mass in kilograms. */
  weight: number | undefined;
  /** Of a house consignment: what a routing profile asks for. */
  facts: Pick<LodgedFacts, 'importProcedure' | 'outgoingProcedure' | 'consignorCountry'>;
  /** Of a house consignment: its goods. */
  house: PreNotifiedHouseConsignment | undefined;
};

/** A document or a receptacle that a message names. */
export type MovementReference = {
  kind: 'MASTER_CONSIGNMENT' | 'HOUSE_CONSIGNMENT' | 'RECEPTACLE';
  reference: string;
  /** The type of a document. */
  type: string | undefined;
};

/** The members of a message in a list that identify it. */
export type ListedMembers = Pick<
  MovementSummary,
  | 'document'
  | 'carrierIdentificationNumber'
  | 'masterDocument'
  | 'receptacleIdentificationNumber'
  | 'identificationNumber'
  | 'conveyanceReferenceNumber'
  | 'scheduledDateAndTimeOfArrival'
>;

/** What a message says of itself. The casts are safe because the schema of the level has accepted the body. */
export function readMovementMessage(
  { level, mode }: MessageKind,
  { body, key, reasons }: { body: unknown; key: string; reasons: readonly string[] },
): MovementMessage {
  const { representative } = body as { representative?: { identificationNumber: string } };
  const common = {
    level,
    mode,
    text: JSON.stringify(body),
    key,
    reasons,
    representative: representative?.identificationNumber,
    references: [],
    estimatedAt: undefined,
    office: undefined,
    weight: undefined,
    facts: {},
    house: undefined,
  };
  if (level === 'transport') return { ...common, ...partsOfTransport(body as TransportMessage) };
  if (level === 'master-consignment') {
    return { ...common, ...partsOfMaster(body as MasterConsignmentMessage) };
  }
  return { ...common, ...partsOfHouse(body as HouseConsignmentMessage) };
}

type Parts = Pick<MovementMessage, 'listed' | 'carrier'> & Partial<MovementMessage>;

function partsOfTransport({
  activeBorderTransportMeans: means,
  carrier,
  consignmentMasterLevel: masters = [],
  consignmentHouseLevel: houses = [],
  customsOfficeOfFirstEntry,
  estimatedDateAndTimeOfArrival,
  scheduledDateAndTimeOfArrival,
}: TransportMessage): Parts {
  const { identificationNumber, conveyanceReferenceNumber } = means;
  const masterDocuments = masters.flatMap((master) => master.transportDocumentMasterLevel ?? []);
  const directHouses = [
    ...houses,
    ...masters.flatMap((master) => master.consignmentHouseLevel ?? []),
  ].flatMap((house) => house.transportDocumentHouseLevel ?? []);
  return {
    carrier: carrier.identificationNumber,
    estimatedAt: estimatedDateAndTimeOfArrival,
    office: customsOfficeOfFirstEntry.referenceNumber,
    references: [
      ...masterDocuments.map((document) => toReference('MASTER_CONSIGNMENT', document)),
      ...directHouses.map((document) => toReference('HOUSE_CONSIGNMENT', document)),
    ],
    listed: {
      carrierIdentificationNumber: carrier.identificationNumber,
      identificationNumber,
      ...(conveyanceReferenceNumber !== undefined && { conveyanceReferenceNumber }),
      scheduledDateAndTimeOfArrival,
    },
  };
}

function partsOfMaster({ consignmentMasterLevel: master }: MasterConsignmentMessage): Parts {
  const { carrier, transportDocumentMasterLevel: document, grossMass } = master;
  const receptacles = (master.consignmentHouseLevel ?? [])
    .flatMap(({ receptacle }) => receptacle ?? [])
    .flatMap(({ receptacleIdentificationNumber }) => receptacleIdentificationNumber ?? []);
  return {
    carrier: carrier.identificationNumber,
    weight: grossMass,
    references: receptacles.map((reference) => ({
      kind: 'RECEPTACLE',
      reference,
      type: undefined,
    })),
    listed: { document, carrierIdentificationNumber: carrier.identificationNumber },
  };
}

function partsOfHouse({ consignmentHouseLevel: house }: HouseConsignmentMessage): Parts {
  const { consignmentMasterLevel: master, receptacleIdentificationNumber, transportLevel } = house;
  const carrier =
    master?.carrierIdentificationNumber ?? transportLevel?.carrierIdentificationNumber;
  return {
    carrier,
    listed: {
      document: house.transportDocumentHouseLevel,
      ...(carrier !== undefined && { carrierIdentificationNumber: carrier }),
      ...(master !== undefined && { masterDocument: master.transportDocumentMasterLevel }),
      ...(receptacleIdentificationNumber !== undefined && { receptacleIdentificationNumber }),
    },
    weight: house.totalGrossMass,
    facts: {
      importProcedure: house.importProcedure?.importProcedure,
      outgoingProcedure: house.importProcedure?.outgoingProcedure,
      consignorCountry: house.consignor.address.country,
    },
    house: goodsOf(house),
  };
}

function toReference(
  kind: 'MASTER_CONSIGNMENT' | 'HOUSE_CONSIGNMENT',
  { documentNumber, type }: { documentNumber: string; type: string },
): MovementReference {
  return { kind, reference: documentNumber, type };
}

/** The house consignment as the registry has it. */
function goodsOf(
  house: HouseConsignmentMessage['consignmentHouseLevel'],
): PreNotifiedHouseConsignment {
  const containers = (house.transportEquipment ?? [])
    .map(({ containerIdentificationNumber }) => containerIdentificationNumber)
    .filter(isContainerId);
  const subheadings = (house.goodsItem ?? []).map(
    ({ commodityCodeVOEC }) => commodityCodeVOEC.harmonizedSystemSubheadingCode,
  );
  const { receptacleIdentificationNumber: receptacleId, consignmentMasterLevel: master } = house;
  return {
    // Safe cast: the type of a document is in CL754, by the rules of the message.
    transportDocumentHouseLevel: house.transportDocumentHouseLevel as TransportDocument,
    ...(master !== undefined && {
      transportDocumentMasterLevel: master.transportDocumentMasterLevel as TransportDocument,
    }),
    ...(receptacleId !== undefined && { receptacleId }),
    ...(containers.length > 0 && { containerId: [...new Set(containers)] }),
    ...(subheadings.length > 0 && { harmonizedSystemSubheadingCode: [...new Set(subheadings)] }),
  };
}

type TransportDocument = PreNotifiedHouseConsignment['transportDocumentHouseLevel'];
