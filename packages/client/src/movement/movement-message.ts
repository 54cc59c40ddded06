// Movement messages: what is lodged, and at which level.
import type { Operation, OperationInput } from '../connection/operation.js';
import type {
  HouseConsignmentRequest,
  MasterConsignmentRequest,
  MovementAccepted,
  TransportRequest,
} from '../contract/types.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import * as operations from '../operations/operations.js';
import type { SettleOptions } from '../settling/settled-request.js';

/** A message of any level. Its members say which. */
export type MovementMessage = TransportRequest | MasterConsignmentRequest | HouseConsignmentRequest;

/** The level of a message. */
export type MovementLevel = 'transport' | 'master-consignment' | 'house-consignment';

/** Options of lodging and replacing. */
export type LodgeOptions = SettleOptions & {
  /** The level of the message; default: as its members show. */
  level?: MovementLevel | undefined;
};

/** An operation that lodges or replaces. */
export type LodgeOperation = Operation<OperationInput, MovementAccepted>;

/** The operations of each level. */
const operationsOf: Record<MovementLevel, { lodge: LodgeOperation; replace: LodgeOperation }> = {
  transport: { lodge: operations.lodgeTransport, replace: operations.replaceTransport },
  'master-consignment': {
    lodge: operations.lodgeMasterConsignment,
    replace: operations.replaceMasterConsignment,
  },
  'house-consignment': {
    lodge: operations.lodgeHouseConsignment,
    replace: operations.replaceHouseConsignment,
  },
};

/** The operation that lodges a message of a level, or that replaces the one with an MRN. */
export function operationOf(level: MovementLevel, mrn: string | undefined): LodgeOperation {
  const { lodge, replace } = operationsOf[level];
  return mrn === undefined ? lodge : replace;
}

/**
 * The level of a message, by its members.
 *
 * @throws ConfigurationError when they do not show it
 */
export function levelOfMovement(message: object): MovementLevel {
  const level = findLevel(message);
  if (level !== undefined) return level;
  throw new ConfigurationError(
    'the members of the message do not show its level: give it with the option level',
  );
}

/**
 * Whether a message that is lodged, or that was read with `getMovement`, is a transport.
 *
 * @example
 * const { message } = await landfall.getMovement('road', 'transport', mrn);
 * if (message !== undefined && isTransport(message)) console.log(message.carrier.name);
 */
export function isTransport(message: object): message is TransportRequest {
  return findLevel(message) === 'transport';
}

/** Whether a message that is lodged, or that was read with `getMovement`, is a master consignment. */
export function isMasterConsignment(message: object): message is MasterConsignmentRequest {
  return findLevel(message) === 'master-consignment';
}

/** Whether a message that is lodged, or that was read with `getMovement`, is a house consignment. */
export function isHouseConsignment(message: object): message is HouseConsignmentRequest {
  return findLevel(message) === 'house-consignment';
}

/** The level that the members show; undefined when they show none, or two. */
function findLevel(message: object): MovementLevel | undefined {
  if ('activeBorderTransportMeans' in message) return 'transport';
  const isMaster = 'consignmentMasterLevel' in message;
  const isHouse = 'consignmentHouseLevel' in message;
  if (isMaster === isHouse) return undefined;
  return isMaster ? 'master-consignment' : 'house-consignment';
}
