// The keys of movement messages: among current messages of one mode, each stands once.
import { isObject } from '../is-object.js';
import type { MovementLevel, MovementMessageName } from './levels.js';
import { type ModeName, modes } from './modes.js';
import type { HouseConsignmentMessage } from './schema/house-consignment.js';
import type { MasterConsignmentMessage } from './schema/master-consignment.js';
import type { RelationMessage } from './schema/relation.js';
import type { TransportMessage } from './schema/transport.js';

/** Digits and signs of an instant to the second. */
const TO_THE_SECOND = 'yyyy-mm-ddThh:mm:ss'.length;

/**
 * The key of a message: of a transport its means and scheduled time, by air with its flight; of a master consignment its
 * document and carrier; of a house consignment its document under what it hangs on; of a relation the two messages. Texts
 * are compared as they are.
 *
 * @param body that the schema of the level has accepted
 * @param submitter who lodges: a house consignment that is in nothing hangs on it
 * @returns equal texts for equal keys; no part of one can become a part of another
 */
export function movementKey(
  level: MovementMessageName,
  body: unknown,
  mode: ModeName,
  submitter: string,
): string {
  return JSON.stringify([mode, level, ...partsOf(level, body, mode, submitter)]);
}

/** The casts are safe because the schema of the level has accepted the body. */
function partsOf(
  level: MovementMessageName,
  body: unknown,
  mode: ModeName,
  submitter: string,
): string[] {
  if (level === 'relation') {
    const { parentObjectReference, childObjectReference } = body as RelationMessage;
    return [parentObjectReference, childObjectReference];
  }
  if (level === 'transport') return partsOfTransport(body as TransportMessage, mode);
  if (level === 'house-consignment') {
    return partsOfHouse(body as HouseConsignmentMessage, submitter);
  }
  const { consignmentMasterLevel: master } = body as MasterConsignmentMessage;
  const { type, documentNumber } = master.transportDocumentMasterLevel;
  return [type, documentNumber, master.carrier.identificationNumber];
}

function partsOfTransport(
  { activeBorderTransportMeans: means, scheduledDateAndTimeOfArrival: time }: TransportMessage,
  mode: ModeName,
): string[] {
  const { identificationNumber, typeOfIdentification, conveyanceReferenceNumber = '' } = means;
  const key = [typeOfIdentification, identificationNumber, time.slice(0, TO_THE_SECOND)];
  return modes[mode].conveyanceInKey ? [...key, conveyanceReferenceNumber] : key;
}

function partsOfHouse(
  { consignmentHouseLevel: house }: HouseConsignmentMessage,
  submitter: string,
): string[] {
  const { consignmentMasterLevel: master, receptacleIdentificationNumber, transportLevel } = house;
  const { type, documentNumber } = house.transportDocumentHouseLevel;
  const key = [type, documentNumber];
  if (master !== undefined) {
    const document = master.transportDocumentMasterLevel;
    const { carrierIdentificationNumber } = master;
    return [...key, 'master', document.type, document.documentNumber, carrierIdentificationNumber];
  }
  if (receptacleIdentificationNumber !== undefined) {
    return [...key, 'receptacle', receptacleIdentificationNumber];
  }
  return transportLevel === undefined
    ? [...key, 'submitter', submitter]
    : [...key, 'transport', transportLevel.carrierIdentificationNumber];
}

/** The members of the key of a message that no replacement may change. */
const fixedMembers: Readonly<Record<MovementLevel, readonly string[]>> = {
  transport: [
    'activeBorderTransportMeans.identificationNumber',
    'activeBorderTransportMeans.typeOfIdentification',
    'scheduledDateAndTimeOfArrival',
  ],
  'master-consignment': [
    'consignmentMasterLevel.carrier.identificationNumber',
    'consignmentMasterLevel.transportDocumentMasterLevel.documentNumber',
    'consignmentMasterLevel.transportDocumentMasterLevel.type',
  ],
  'house-consignment': [
    'consignmentHouseLevel.transportDocumentHouseLevel.documentNumber',
    'consignmentHouseLevel.transportDocumentHouseLevel.type',
  ],
};

const FLIGHT = 'activeBorderTransportMeans.conveyanceReferenceNumber';

/** The members of the key of a message that no replacement may change: by air, the number of the flight is one of them. */
export function keyMembers(level: MovementLevel, mode: ModeName): readonly string[] {
  const members = fixedMembers[level];
  return level === 'transport' && modes[mode].conveyanceInKey ? [...members, FLIGHT] : members;
}

/**
 * Which members of its key a replacement of a message changes, although none may, also if one is absent. Times are compared
 * to the second.
 *
 * @param before the message that is replaced
 * @param after the one that replaces it
 */
export function changedKeyMembers(
  level: MovementLevel,
  mode: ModeName,
  before: unknown,
  after: unknown,
): string[] {
  return keyMembers(level, mode).filter((path) => valueAt(before, path) !== valueAt(after, path));
}

/**
 * Which members by which others reach a house consignment a replacement changes or takes away. Adding one is no change.
 *
 * @param before the message that is replaced
 * @param after the one that replaces it
 */
export function changedCouplings(before: unknown, after: unknown): string[] {
  return couplings.filter((path) => {
    const value = valueAt(before, path);
    return value !== undefined && value !== valueAt(after, path);
  });
}

const couplings = [
  'consignmentHouseLevel.consignmentMasterLevel.carrierIdentificationNumber',
  'consignmentHouseLevel.consignmentMasterLevel.transportDocumentMasterLevel.documentNumber',
  'consignmentHouseLevel.consignmentMasterLevel.transportDocumentMasterLevel.type',
  'consignmentHouseLevel.receptacleIdentificationNumber',
  'consignmentHouseLevel.transportLevel.carrierIdentificationNumber',
];

/** The value of a member; of a time, to the second. */
function valueAt(message: unknown, path: string): unknown {
  let value = message;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return path.endsWith('ateAndTimeOfArrival') && typeof value === 'string'
    ? value.slice(0, TO_THE_SECOND)
    : value;
}
