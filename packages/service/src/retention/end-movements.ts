// Ends movement messages by time: what does not arrive expires, and what was presented is closed, in small steps.
import type { Transaction } from '../database/database.js';
import { lockFeeds } from '../feed/lock-queries.js';
import { listPartiesUnder } from '../movements/presented-under.js';
import { newId } from '../new-id.js';
import { keepControlsOfClosed, withdrawLodged } from '../registry/lodged-goods.js';
import type { ExpiryContext } from './expire-entries.js';
import { lockFree } from './expire-house-consignments.js';
import {
  beforeAllMovements,
  type EndedRow,
  type Ending,
  endDue,
  removeTexts,
  selectEnding,
} from './movement-queries.js';

/** Messages that one step examines. */
const EXAMINED = 1000;

/** Maximum number of messages that end at once, for which presenters wait some milliseconds. */
const MAX_ENDED = 50;

/** Texts that are removed at once. */
const MAX_TEXTS = 500;

/** Transports that have not arrived expire, counted from their estimated arrival. */
export const expireTransports = (context: ExpiryContext, before: Date) =>
  endMovements(context, before, [{ state: 'EXPIRED', level: 'TRANSPORT' }]);

/**
 * Master and house consignments expire that nobody has presented and that no current transport reaches, counted from their
 * last change. Their goods are withdrawn, as if they had been cancelled.
 */
export const expireConsignments = (context: ExpiryContext, before: Date) =>
  endMovements(context, before, [
    { state: 'EXPIRED', level: 'MASTER_CONSIGNMENT' },
    { state: 'EXPIRED', level: 'HOUSE_CONSIGNMENT' },
  ]);

/**
 * What has arrived or was presented is closed when all presented goods that it reaches are decided. What is above comes
 * first: whoever lodges a key that has become free is not coupled to what had it before.
 */
export const closeMovements = (context: ExpiryContext, before: Date) =>
  endMovements(context, before, [
    { state: 'CLOSED', level: 'TRANSPORT' },
    { state: 'CLOSED', level: 'MASTER_CONSIGNMENT' },
    { state: 'CLOSED', level: 'HOUSE_CONSIGNMENT' },
  ]);

/**
 * Removes the texts of messages that had ended before a time: they have names and addresses.
 *
 * @returns how many each step has removed
 */
export async function* removeMessageTexts(
  { database, audit, clock, movedClock }: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  for (;;) {
    const removed = await database.transact(async (transaction) => {
      const [row] = await transaction.query(removeTexts(before, MAX_TEXTS, movedClock?.()));
      const messages = row?.removed ?? 0;
      if (messages === 0) return 0;
      await audit.record(transaction, {
        at: clock(),
        actor: undefined,
        requestId: undefined,
        action: 'movement-texts.removed',
        details: { before, messages },
      });
      return messages;
    });
    if (removed === 0) return;
    yield removed;
  }
}

/** Messages whose declaration or parties are locked by somebody else are left to the next run. */
async function* endMovements(
  context: ExpiryContext,
  before: Date,
  endings: readonly Ending[],
): AsyncGenerator<number> {
  for (const ending of endings) {
    for (let after = beforeAllMovements; ; ) {
      const examined = await context.database.query(selectEnding(ending, before, after, EXAMINED));
      const last = examined.at(-1);
      if (last === undefined) break;
      after = last;
      const due = examined.flatMap(({ id, isDue }) => (isDue ? id : []));
      for (let first = 0; first < due.length; first += MAX_ENDED) {
        yield await end(context, ending, before, due.slice(first, first + MAX_ENDED));
      }
      if (due.length === 0) yield 0;
    }
  }
}

function end(
  { database, audit, movedClock }: ExpiryContext,
  ending: Ending,
  before: Date,
  due: readonly number[],
): Promise<number> {
  return database.transact(async (transaction) => {
    // Whoever replaces, cancels, presents or decides has one of these locks: one of the two is first.
    const free = await lockFree(transaction, due);
    const [locked, parties] = await lockUnder(transaction, ending, free);
    if (locked.length === 0) return 0;
    const ended = await transaction.query(endDue(ending, before, locked, parties, movedClock?.()));
    const [first] = ended;
    if (first === undefined) return 0;
    const context = { at: first.at, actor: undefined, requestId: newId() };
    const details = { before, messages: ended.map(describe) };
    if (ending.state === 'CLOSED') {
      if (ending.level === 'HOUSE_CONSIGNMENT') {
        const closed = ended.map(({ id }) => id);
        await keepControlsOfClosed(transaction, closed, first.at);
      }
      await audit.record(transaction, { ...context, action: 'movements.closed', details });
    } else {
      await withdrawLodged(transaction, audit, ended, context, {
        action: 'movements.expired',
        details,
        always: true,
      });
    }
    return ended.length;
  });
}

/**
 * Locks the parties of the goods under master consignments, without waiting: whoever presents or decides those has locked
 * them, and not the parties of the master consignments.
 *
 * @returns the messages of which all parties are locked, and the parties
 */
async function lockUnder(
  transaction: Transaction,
  { level }: Ending,
  ids: readonly number[],
): Promise<[messages: readonly number[], parties: readonly number[]]> {
  if (level !== 'MASTER_CONSIGNMENT' || ids.length === 0) return [ids, []];
  const under = await listPartiesUnder(transaction, ids);
  const [row] = await transaction.query(
    lockFeeds(
      under.flatMap(({ organisations }) => organisations),
      0,
    ),
  );
  const parties = new Set(row?.locked ?? []);
  const isLocked = (organisation: number) => parties.has(organisation);
  const messages = under.filter(({ organisations }) => organisations.every(isLocked));
  return [messages.map(({ id }) => id), [...parties]];
}

const describe = ({ mrn, level }: EndedRow) => ({ mrn, level });
