// Documents that come late take away the reasons of the messages that wait for them, in the transaction that registers them.
import type { DocumentKey } from '@landfall/contract';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  OrganisationHeldError,
} from '../feed/transact-on-feeds.js';
import { DeclarationHeldError, lockExisting } from '../registry/declaration-locks.js';
import { decideLodgedAgain } from '../registry/lodged-goods.js';
import type { Registry } from '../registry/register.js';
import type { Recorded, RegistrationContext } from '../routing/decision-context.js';
import { mayAwaitDecision } from '../routing/decision-rules.js';
import { reasonsOfMissing } from './awaited-documents.js';
import {
  deleteFound,
  removeReasons,
  selectWaiting,
  type VerifiedRow,
  type WaitingRow,
} from './waiting-queries.js';

/** The messages that lost a reason, and presented goods among them that can be decided now. */
export type Completed = { mrns: string[]; undecided: string[] };

/** Messages that wait for documents which are about to be registered: they are locked, with the feeds of their parties. */
export type LockedWaiting = {
  /**
   * Takes their reasons away. The documents are locked, so that nobody waits for them whom it does not see.
   *
   * @throws ChangedMeanwhileError if somebody began to wait meanwhile
   */
  complete(context: Recorded<RegistrationContext>): Promise<Completed>;
};

/**
 * Locks the messages that wait for documents, as whoever changes them does: declarations, then organisations.
 *
 * @throws DeclarationHeldError, OrganisationHeldError with the indexes of the documents for which the held message waits
 */
export async function lockWaiting(
  transaction: FeedTransaction,
  registry: Pick<Registry, 'expectedOnly' | 'profiles'>,
  documents: readonly DocumentKey[],
): Promise<LockedWaiting> {
  const found = documents.length === 0 ? [] : await transaction.query(selectWaiting(documents));
  if (found.length > 0) await lock(transaction, found);
  const locked = new Map(found.map((row) => [row.id, row]));
  return {
    complete: async (context) => {
      const waiting =
        documents.length === 0 ? [] : await transaction.query(selectWaiting(documents));
      if (waiting.length === 0) return { mrns: [], undecided: [] };
      for (const { id, organisations } of waiting) {
        const before = new Set(locked.get(id)?.organisations);
        if (!organisations.every((one) => before.has(one))) {
          throw new ChangedMeanwhileError('another message waits for a document');
        }
      }
      return complete(transaction, registry, waiting, documents, context);
    },
  };
}

async function lock(transaction: FeedTransaction, waiting: readonly WaitingRow[]): Promise<void> {
  const documentsOf = (isMeant: (row: WaitingRow) => boolean) =>
    new Set(waiting.filter(isMeant).flatMap(({ documents }) => documents));
  try {
    await lockExisting(
      transaction,
      waiting.map(({ mrn }) => mrn),
      'HOUSE',
    );
    await transaction.lock([...new Set(waiting.flatMap(({ organisations }) => organisations))]);
  } catch (error) {
    if (error instanceof DeclarationHeldError) {
      error.held = documentsOf(({ mrn }) => mrn === error.mrn);
    }
    if (error instanceof OrganisationHeldError) {
      // It may be a party to another record of the goods, which the attempt before has found.
      error.held = documentsOf(({ house, organisations }) =>
        [...organisations, ...(transaction.foundBefore?.get(house)?.organisations ?? [])].includes(
          error.organisation,
        ),
      );
    }
    throw error;
  }
}

async function complete(
  transaction: FeedTransaction,
  registry: Pick<Registry, 'expectedOnly' | 'profiles'>,
  waiting: readonly WaitingRow[],
  documents: readonly DocumentKey[],
  context: Recorded<RegistrationContext>,
): Promise<Completed> {
  const ids = waiting.map(({ id }) => id);
  const found = await transaction.query(deleteFound(ids, documents));
  const verified = await transaction.query(removeReasons(found, reasonsOfMissing, context.at));
  const completed = verified.filter(({ isComplete }) => isComplete);
  const unpresented = completed.filter(({ presented }) => !presented);
  const houses = unpresented.map(({ house }) => house);
  await decideLodgedAgain(transaction, registry, houses, context);
  return {
    mrns: verified.map(({ mrn }) => mrn),
    undecided: completed.filter(waitsForDecision).map(({ house }) => house),
  };
}

const waitsForDecision = ({ presented, routing }: VerifiedRow) =>
  presented && mayAwaitDecision(routing);
