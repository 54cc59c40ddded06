// The levels of movement messages, as messages and as addresses name them.
import type { LodgedMovement, MovementLevel } from '@landfall/client';

const levels = {
  TRANSPORT: 'transport',
  MASTER_CONSIGNMENT: 'master-consignment',
  HOUSE_CONSIGNMENT: 'house-consignment',
} as const satisfies Record<LodgedMovement['level'], MovementLevel>;

export function levelOf(level: LodgedMovement['level']): MovementLevel {
  return levels[level];
}
