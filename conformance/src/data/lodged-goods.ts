// Goods that were lodged as house consignments: lodged, decided, presented, and their signals.
import type { ModeName, Routing } from '@landfall/contract';
import type { Caller } from '../http/caller.js';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';
import { expectEqual, expectStatus } from '../suite/expect.js';
import {
  type Changes,
  houseDocument,
  type Message,
  makeMovement,
  memberAt,
} from './movement-messages.js';
import { lodge, type Place } from './movements.js';
import { presentationOf, tryPresent } from './presentations.js';
import { type Entry, readAll } from './read-feed.js';

/** A house consignment that was lodged. */
export type Lodged = Place & {
  message: Message;
  document: { documentNumber: string; type: string };
};

/** Lodges a complete house consignment, with changes. */
export async function lodgeGoods(
  caller: Caller,
  changes: Changes = {},
  mode: ModeName = 'road',
): Promise<Lodged> {
  const message = makeMovement('house-consignment', mode, changes);
  const place = await lodge(caller, mode, 'house-consignment', message);
  return { ...place, message, document: houseDocument(message) };
}

/** Decides on lodged goods as the authority; returns the result. */
export async function decideOn(
  context: CaseContext,
  { mrn, document }: Lodged,
  routing: Routing,
): Promise<unknown> {
  const json = [{ mrn, transportDocumentHouseLevel: document, routing, reason: 'conformance' }];
  const response = await context.as('authority').call('postRoutingDecisions', { json });
  expectStatus(response, 200);
  return memberAt(JSON.parse(response.text), '[0]');
}

/** Presents goods by their document, and by their MRN too if it is given; expects a status code. */
export async function presentGoods(
  caller: Caller,
  { document }: Pick<Lodged, 'document'>,
  { mrn, expected = 202 }: { mrn?: string; expected?: number } = {},
): Promise<string> {
  const body = presentationOf({
    transportDocumentHouseLevel: document,
    ...(mrn !== undefined && { mrn }),
  });
  const response = await tryPresent(caller, 'house-consignment', body);
  expectStatus(response, expected);
  return body.requestId;
}

/** The signals of lodged goods that a role may read, issued since the run began. */
export async function signalsOf(
  context: CaseContext,
  role: Role,
  { mrn }: Pick<Lodged, 'mrn'>,
): Promise<Entry[]> {
  const start = await context.start(role, 'readRoutingSignals');
  const entries = await readAll(context.as(role), 'readRoutingSignals', start);
  return entries.filter((entry) => entry.houseConsignmentMRN === mrn);
}

/** The routings of signals, in their order. */
function routingsOf(signals: readonly Entry[]): unknown[] {
  return signals.map((signal) => memberAt(signal, 'routingResult.routing'));
}

/** Expects the routings of the signals that a role may read. */
export async function expectSignals(
  context: CaseContext,
  role: Role,
  goods: Pick<Lodged, 'mrn'>,
  ...routings: Routing[]
): Promise<void> {
  expectEqual(routingsOf(await signalsOf(context, role, goods)), routings, `what ${role} is told`);
}
