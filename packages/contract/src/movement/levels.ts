// The three levels of a movement (a transport, its master consignments, and their house consignments), and relations between them.
import { isObject } from '../is-object.js';
import { HouseConsignmentMessage } from './schema/house-consignment.js';
import { MasterConsignmentMessage } from './schema/master-consignment.js';
import { RelationMessage } from './schema/relation.js';
import { TransportMessage } from './schema/transport.js';

const KIB = 1024;

/** Each level with its schema, and the maximum size of its message in bytes. */
export const movementLevels = {
  transport: { schema: TransportMessage, maxBytes: 2 * KIB * KIB },
  'master-consignment': { schema: MasterConsignmentMessage, maxBytes: 512 * KIB },
  'house-consignment': { schema: HouseConsignmentMessage, maxBytes: 512 * KIB },
} as const;

/** The last segment of the path of a movement message. */
export type MovementLevel = keyof typeof movementLevels;

/** The messages that rules are for: those of the levels, and relations, which couple two of them. */
export const movementMessages = {
  ...movementLevels,
  relation: { schema: RelationMessage, maxBytes: 64 * KIB },
} as const;

/** A message that rules are for, by the last segment of its path. */
export type MovementMessageName = keyof typeof movementMessages;

/** Maximum size of a message of any level, in bytes. */
export const MAX_MOVEMENT_BYTES = Math.max(
  ...Object.values(movementLevels).map(({ maxBytes }) => maxBytes),
);

/**
 * The level of a message, or that it is a relation, if its members show it.
 *
 * @param message any JSON value
 */
export function guessLevel(message: unknown): MovementMessageName | undefined {
  if (!isObject(message)) return undefined;
  if (Object.hasOwn(message, 'parentObjectReference')) return 'relation';
  const { activeBorderTransportMeans, consignmentMasterLevel, consignmentHouseLevel } = message;
  if (isObject(activeBorderTransportMeans)) return 'transport';
  const isMaster = isObject(consignmentMasterLevel);
  const isHouse = isObject(consignmentHouseLevel);
  if (isMaster === isHouse) return undefined;
  return isMaster ? 'master-consignment' : 'house-consignment';
}
