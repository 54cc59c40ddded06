// The feeds: how a case adds entries to each, which ones it finds again, and what others have that it must not find.
import type { OperationId } from '../http/caller.js';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';
import { expectStatus } from '../suite/expect.js';
import { documentOf, register } from './goods.js';
import { eventIdOf, makeMessage, publishNew } from './goods-items.js';
import { newDocumentNumber } from './identifiers.js';
import { HOUSE, makeMovement } from './movement-messages.js';
import { mover, requestIdOf, tryLodge } from './movements.js';
import { present, presentationOf, tryPresent } from './presentations.js';
import { type Entry, memberOf, readAll } from './read-feed.js';

/** A feed. */
export type FeedOfCases = {
  /** The plural of an entry. */
  name: string;
  operationId: OperationId;
  reader: Role;
  needs: readonly Role[];
  /** What identifies an entry, whoever reads it. */
  keyOf: (entry: Entry) => string;
  /** Adds so many entries to the feed of the reader, and returns their keys. */
  add: (context: CaseContext, count: number) => Promise<string[]>;
  /** Adds entries to the feed of another organisation alone, which reads them, and returns their keys. Not where all read all. */
  addForeign?: (context: CaseContext) => Promise<string[]>;
};

const documentNumberOf = (entry: Entry) =>
  String(memberOf(entry, 'transportDocumentHouseLevel.documentNumber'));

async function issue(context: CaseContext, role: Role, count: number): Promise<string[]> {
  const declaration = await register(context, {
    houses: Array.from({ length: count }, () => ({ routing: 'TO_ENTRY' as const })),
  });
  await present(context.as(role), 'entry-summary-declaration', { mrn: declaration.mrn });
  return Array.from({ length: count }, (_, index) => documentOf(declaration, index).documentNumber);
}

/** Presents one house consignment, and another one that does not exist: both have a status. */
async function presentAndFail(context: CaseContext, role: Role, count: number): Promise<string[]> {
  const declaration = await register(context, {
    houses: Array.from({ length: Math.ceil(count / 2) }, () => ({ routing: 'TO_ENTRY' as const })),
  });
  const requestIds: string[] = [];
  for (let number = 0; number < count; number++) {
    const exists = number % 2 === 0;
    const body = presentationOf({
      transportDocumentHouseLevel: exists
        ? documentOf(declaration, number / 2)
        : { documentNumber: newDocumentNumber(), type: 'N703' },
    });
    const response = await tryPresent(context.as(role), 'house-consignment', body);
    expectStatus(response, exists ? 202 : 400);
    requestIds.push(body.requestId);
  }
  return requestIds;
}

/** The other organisation reads what it has, so that it went through the service for another one. */
async function readAsOther(context: CaseContext, operationId: OperationId): Promise<void> {
  const start = await context.start('other', operationId);
  await readAll(context.as('other'), operationId, start);
}

/** Lodges house consignments of which every second one is refused: all have a status. */
async function lodgeAndFail(context: CaseContext, role: Role, count: number): Promise<string[]> {
  const caller = mover(context, role, ['road']);
  const requestIds: string[] = [];
  for (let number = 0; number < count; number++) {
    const changes = number % 2 === 0 ? {} : { [`${HOUSE}.containerIndicator`]: '7' };
    const message = makeMovement('house-consignment', 'road', changes);
    requestIds.push(requestIdOf(await tryLodge(caller, 'road', 'house-consignment', message)));
  }
  return requestIds;
}

export const feedsOfCases: Record<'signals' | 'statuses' | 'items' | 'movements', FeedOfCases> = {
  signals: {
    name: 'routing signals',
    operationId: 'readRoutingSignals',
    reader: 'presenter',
    needs: ['presenter', 'other', 'authority'],
    keyOf: documentNumberOf,
    add: (context, count) => issue(context, 'presenter', count),
    addForeign: async (context) => {
      const keys = await issue(context, 'other', 2);
      await readAsOther(context, 'readRoutingSignals');
      return keys;
    },
  },
  statuses: {
    name: 'validation statuses',
    operationId: 'listValidationStatuses',
    reader: 'presenter',
    needs: ['presenter', 'other', 'authority'],
    keyOf: ({ requestId }) => String(requestId),
    add: (context, count) => presentAndFail(context, 'presenter', count),
    addForeign: async (context) => {
      const keys = await presentAndFail(context, 'other', 2);
      await readAsOther(context, 'listValidationStatuses');
      return keys;
    },
  },
  items: {
    name: 'goods items',
    operationId: 'listGoodsItems',
    reader: 'reader',
    needs: ['publisher', 'reader'],
    keyOf: eventIdOf,
    add: async (context, count) => {
      const messages = Array.from({ length: count }, () => makeMessage());
      await publishNew(context, messages);
      return messages.map(eventIdOf);
    },
  },
  movements: {
    name: 'statuses of movement messages',
    operationId: 'listMovementStatuses',
    reader: 'presenter',
    needs: ['presenter', 'other'],
    keyOf: ({ requestId }) => String(requestId),
    add: (context, count) => lodgeAndFail(context, 'presenter', count),
    addForeign: async (context) => {
      const keys = await lodgeAndFail(context, 'other', 2);
      await readAsOther(context, 'listMovementStatuses');
      return keys;
    },
  },
};
