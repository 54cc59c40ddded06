// Relates messages, cancels that, and reads what became of the requests.
import { type ModeName, MovementStatus, movementLevelCodes } from '@landfall/contract';
import type { Caller } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import { expect, expectStatus, expectValid, readObject } from '../suite/expect.js';
import { newJourney, query } from './journeys.js';
import { memberAt } from './movement-messages.js';
import { type Place, pathOf, requestIdOf } from './movements.js';

/** A message as a relation names it. */
export type End = Pick<Place, 'level' | 'mrn'>;

/** Messages by road that nothing couples by documents. */
export function newEnds(caller: Caller, number: () => string) {
  const journey = newJourney(caller);
  return {
    transport: async (): Promise<End> => ({
      level: 'transport',
      mrn: await journey.transport({}),
    }),
    master: async (document = number()): Promise<End> => ({
      level: 'master-consignment',
      mrn: await journey.master(document),
    }),
    /** It hangs directly on transports of a carrier, of which none names its document. */
    house: async (document = number()): Promise<End> => ({
      level: 'house-consignment',
      mrn: await journey.house(document, 'transport'),
    }),
  };
}

/** Hangs one message on another; returns whatever the service responds. */
function tryRelate(
  caller: Caller,
  parent: End,
  child: End,
  more: Record<string, unknown> = {},
): Promise<HttpResponse> {
  const json = {
    parentObjectType: movementLevelCodes[parent.level],
    parentObjectReference: parent.mrn,
    childObjectType: movementLevelCodes[child.level],
    childObjectReference: child.mrn,
    ...more,
  };
  return caller.call('lodgeRelation', { path: pathOf('road'), json });
}

/** Hangs one message on another, and returns the status. */
export async function relateForStatus(
  caller: Caller,
  parent: End,
  child: End,
  more: Record<string, unknown> = {},
): Promise<MovementStatus> {
  return outcomeOf(caller, await tryRelate(caller, parent, child, more));
}

/** Hangs one message on another, which is accepted; returns the MRN of the relation. */
export async function relate(caller: Caller, parent: End, child: End): Promise<string> {
  const { status, mrn, validationErrorList } = await relateForStatus(caller, parent, child);
  expect(
    status === 'SUCCESS' && mrn !== undefined,
    `the status of a relation is ${status}: ${JSON.stringify(validationErrorList)}`,
  );
  return mrn;
}

/** Cancels a relation; returns whatever the service responds. */
export function tryUnrelate(
  caller: Caller,
  mrn: string,
  mode: ModeName = 'road',
): Promise<HttpResponse> {
  return caller.call('cancelRelation', { path: pathOf(mode, { mrn }) });
}

/** Cancels a relation, and returns the status. */
export async function unrelate(caller: Caller, mrn: string): Promise<MovementStatus> {
  return outcomeOf(caller, await tryUnrelate(caller, mrn));
}

async function outcomeOf(caller: Caller, sent: HttpResponse): Promise<MovementStatus> {
  const path = pathOf('road', { level: 'relation', requestId: requestIdOf(sent) });
  const response = await caller.call('getMovementStatus', { path });
  expectStatus(response, 200);
  const status = readObject(response);
  expectValid(MovementStatus, status, 'the status');
  // The cast is true because the status has just been checked.
  return status as MovementStatus;
}

/** The documents of the master consignments and of the direct house consignments that are on a transport. */
export async function documentsOn(caller: Caller, { mrn }: End): Promise<unknown[]> {
  const tree = await query(caller, 'getTransportDescendants', { mrn });
  return ['masterConsignments', 'houseConsignments'].flatMap((name) => {
    const entries = memberAt(tree, name);
    return Array.isArray(entries) ? entries.map(({ documentNumber }) => documentNumber) : [];
  });
}
