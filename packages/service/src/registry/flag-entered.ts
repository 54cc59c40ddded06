// Flags the house consignments that enter a whole after it was presented, in the transaction that registers them.
import { identifierKey } from '@landfall/contract';
import type { Transaction } from '../database/database.js';
import {
  deleteEntered,
  insertEntered,
  lockReferences,
  selectPresented,
} from './entered-queries.js';
import type { HouseToWrite } from './house-queries.js';

/**
 * Flags those of the written house consignments that a presented reference reaches, and no longer those of the changed ones
 * that none reaches any more. Call it after everything else is written, right before the audit record: a presentation of
 * one of the references waits from here to the commit.
 */
export async function flagEntered(
  transaction: Transaction,
  changed: readonly HouseToWrite[],
  inserted: readonly HouseToWrite[],
): Promise<void> {
  const houses = [...changed, ...inserted];
  if (houses.length === 0) return;
  if (changed.length > 0) await transaction.query(deleteEntered(changed.map(({ id }) => id)));
  const references = referencesOfAll(houses);
  await transaction.query(lockReferences(references, isShared(houses)));
  // A new statement, because it must see what was committed before the locks were taken.
  const presented = await transaction.query(selectPresented(references));
  if (presented.length === 0) return;
  await transaction.query(
    insertEntered(
      houses.map(({ id }) => id),
      presented.map(({ number }) => number),
    ),
  );
}

/**
 * Takes the locks of `flagEntered` earlier than it does. A registration that appends to the audit trail before it has
 * written everything has to, because those who present take the lock of the reference first.
 */
export async function lockEntered(
  transaction: Transaction,
  houses: readonly Referring[],
): Promise<void> {
  if (houses.length === 0) return;
  await transaction.query(lockReferences(referencesOfAll(houses), isShared(houses)));
}

/**
 * Whoever lodges goods shares the locks with nobody: he and whoever registers the same goods in an ENS at the same time would
 * not see each other. All of a transaction are of one kind.
 */
function isShared([first]: readonly Referring[]): boolean {
  return first?.declaration.members.kind === undefined;
}

/** A house consignment with what may reach it. */
type Referring = Pick<HouseToWrite, 'declaration' | 'house'>;

function referencesOfAll(houses: readonly Referring[]): string[] {
  return [...new Set(houses.flatMap(referencesOf))];
}

function referencesOf({ declaration, house }: Referring): string[] {
  const { transportDocumentMasterLevel: master, receptacleId, containerId = [] } = house;
  const { kind, mrn } = declaration.members;
  return [
    // Only an ENS is presented as a whole.
    ...(kind === undefined ? [mrn] : []),
    ...(master == null ? [] : [identifierKey(master.documentNumber)]),
    ...(receptacleId == null ? [] : [receptacleId]),
    ...(containerId ?? []),
    // Those are found by their house document alone, by whoever sends others beside them to control.
    ...(kind !== undefined && master == null && receptacleId == null
      ? [`HOUSE ${identifierKey(house.transportDocumentHouseLevel.documentNumber)}`]
      : []),
  ];
}
