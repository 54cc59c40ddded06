// The kind of a movement message: its mode of transport and its level.
import {
  keysOf,
  type ModeName,
  type MovementLevel,
  type movementLevelCodes,
  movementLevels,
} from '@landfall/contract';

/** The kind of a message, as addresses name it. */
export type MessageKind = { mode: ModeName; level: MovementLevel };

/** The level of a message, as it is stored and as its statuses have it. */
export type LevelCode = (typeof movementLevelCodes)[MovementLevel];

/** The level with this name in addresses; `undefined` if there is none. */
export function findLevel(name: string): MovementLevel | undefined {
  return keysOf(movementLevels).find((level) => level === name);
}
