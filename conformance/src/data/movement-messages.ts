// Movement messages of a case: the examples of the contract, with identifiers that nothing else has.
import type { ModeName, MovementLevel } from '@landfall/contract';
import { setMember } from '@landfall/contract/movement-cases/change-message';
import { makeExample } from '@landfall/contract/movement-cases/examples';
import { newContainerId, newDocumentNumber } from './identifiers.js';

/** A message. Its members are those of the contract; cases leave out and add some. */
export type Message = Record<string, unknown>;

/** Members to set, by their paths such as `a.b[0].c`; `undefined` removes one. */
export type Changes = Readonly<Record<string, unknown>>;

export const HOUSE = 'consignmentHouseLevel';
export const MASTER = 'consignmentMasterLevel';
export const MEANS = 'activeBorderTransportMeans';

const HOUR_MS = 3_600_000;

/** An instant so many milliseconds from now, to the second. */
export function fromNow(ms: number): string {
  return `${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`;
}

/** What makes a message of each level one of its own. */
const own: Record<MovementLevel, () => Changes> = {
  transport: () => ({
    [`${MEANS}.identificationNumber`]: newDocumentNumber(),
    estimatedDateAndTimeOfArrival: fromNow(2 * HOUR_MS),
    scheduledDateAndTimeOfArrival: fromNow(2 * HOUR_MS),
    [`${MASTER}[0].transportDocumentMasterLevel.documentNumber`]: newDocumentNumber(),
    [`${MASTER}[0].${HOUSE}[0].transportDocumentHouseLevel.documentNumber`]: newDocumentNumber(),
    [`${HOUSE}[0].transportDocumentHouseLevel.documentNumber`]: newDocumentNumber(),
  }),
  'master-consignment': () => ({
    [`${MASTER}.transportDocumentMasterLevel.documentNumber`]: newDocumentNumber(),
    [`${MASTER}.transportEquipment[0].containerIdentificationNumber`]: newContainerId(),
    [`${MASTER}.${HOUSE}[0].receptacle[0].receptacleIdentificationNumber`]: [newDocumentNumber()],
  }),
  'house-consignment': () => ({
    [`${HOUSE}.transportDocumentHouseLevel.documentNumber`]: newDocumentNumber(),
    [`${HOUSE}.${MASTER}.transportDocumentMasterLevel.documentNumber`]: newDocumentNumber(),
    [`${HOUSE}.transportEquipment[0].containerIdentificationNumber`]: newContainerId(),
  }),
};

/** A message with changed members; the one that is given stays as it is. */
export function change(message: Message, changes: Changes): Message {
  const changed = structuredClone(message);
  for (const [path, value] of Object.entries(changes)) setMember(changed, path, value);
  return changed;
}

/** A message that is accepted and complete, with changes. */
export function makeMovement(level: MovementLevel, mode: ModeName, changes: Changes = {}): Message {
  return change(change(makeExample(level, mode), own[level]()), changes);
}

/** The member at a path such as `a.b[0].c`. */
export function memberAt(message: unknown, path: string): unknown {
  let value = message;
  for (const name of path.split(/[.[\]]+/).filter((one) => one !== '')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}

/** The transport document of a house consignment. */
export function houseDocument(message: Message): { documentNumber: string; type: string } {
  // The cast is true because cases leave it as the example has it.
  return memberAt(message, `${HOUSE}.transportDocumentHouseLevel`) as {
    documentNumber: string;
    type: string;
  };
}

/** A house consignment in nothing, without containers: its document is all that identifies it. */
export const alone: Changes = {
  [`${HOUSE}.${MASTER}`]: undefined,
  [`${HOUSE}.containerIndicator`]: '0',
  [`${HOUSE}.transportEquipment`]: undefined,
};

/** A house consignment without any document of its goods: it is accepted, and incomplete. */
export const undocumented: Changes = {
  [`${HOUSE}.importProcedure`]: undefined,
  [`${HOUSE}.previousDocuments`]: undefined,
  [`${HOUSE}.exportFromEU`]: undefined,
};
