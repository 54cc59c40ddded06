// Publishes an upload of any length as it comes: all or nothing up to a bound, in blocks beyond that.
import {
  ATOMIC_PUBLISH_BYTES,
  ATOMIC_PUBLISH_LIMIT,
  type FoundText,
  type GoodsItemsPublished,
} from '@landfall/contract';
import { type GoodsItemEvent, readEvent, withIndex } from './goods-item-event.js';
import type { PublishGoodsItems } from './publish-goods-items.js';
import type { UploadPart } from './read-upload.js';
import { ReportedErrors } from './reported-errors.js';
import { takeBlock } from './take-block.js';
import { Turns } from './turns.js';
import type { HeldBytes } from './upload-budget.js';

/** What is published all or none. */
const ATOMIC = { events: ATOMIC_PUBLISH_LIMIT, bytes: ATOMIC_PUBLISH_BYTES };

/** A block, once more than that has come. */
const BLOCK = { events: 2000, bytes: 4 * 1024 * 1024 };

const MUST_BE = `size must be between 1 and ${ATOMIC.events} messages of at most ${ATOMIC.bytes} bytes together`;

/** What became of an upload: how much is stored, and what was wrong. */
export type UploadOutcome = { stored: GoodsItemsPublished; errors: ReportedErrors };

/** The upload could not go on; what is stored by then stays stored. */
export class UploadBrokenOffError extends Error {
  override name = 'UploadBrokenOffError';
  readonly stored: GoodsItemsPublished;

  constructor(stored: GoodsItemsPublished, cause: unknown) {
    super('the upload broke off', { cause });
    this.stored = stored;
  }
}

/** How an upload is published. */
export type UploadOptions = {
  publish: PublishGoodsItems;
  /** How much of it is held in memory. */
  held: HeldBytes;
  /** Whether it is refused when it is more than what is published all or none, instead of being stored in blocks. */
  whole: boolean;
};

/**
 * Publishes the messages of an upload. After one that is refused nothing more is stored; the rest is read all the
 * same, so that all that is wrong is reported at once.
 *
 * @throws UploadBrokenOffError when the upload ends early, there is no room for it or the database is away, with what
 * was stored by then
 */
export async function publishUpload(
  parts: AsyncIterable<UploadPart>,
  { publish, held, whole }: UploadOptions,
): Promise<UploadOutcome> {
  const errors = new ReportedErrors();
  const stored = { accepted: 0, duplicates: 0 };
  const turns = new Turns();
  // While a block is stored, the next one is read.
  let storing: Promise<void> = Promise.resolve();
  let storingBytes = 0;
  let block: GoodsItemEvent[] = [];
  let bytes = 0;
  let limits = ATOMIC;
  let index = 0;

  const take = (): GoodsItemEvent[] => {
    const taken = block.slice(0, takeBlock(block, limits));
    block = block.slice(taken.length);
    bytes = sumBytes(block);
    return taken;
  };
  const store = async (events: readonly GoodsItemEvent[]) => {
    storingBytes = sumBytes(events);
    const outcome = await publish(events);
    storingBytes = 0;
    if (outcome.published) {
      stored.accepted += outcome.accepted;
      stored.duplicates += outcome.duplicates;
    } else {
      errors.add(outcome.errors);
    }
  };
  try {
    for await (const { found, pendingBytes } of parts) {
      for (const text of found) {
        const read = readText(text, index++);
        if (!read.valid) errors.add(read.errors);
        else if (errors.count === 0) {
          block.push(read.event);
          bytes += read.event.bytes;
        }
        if (turns.over) await turns.next();
      }
      if (errors.count > 0) {
        block = [];
        bytes = 0;
      }
      if (whole && (index > limits.events || bytes > limits.bytes)) {
        return refuseAll(`${MUST_BE}: more are sent as application/x-ndjson`);
      }
      while (block.length > limits.events || bytes > limits.bytes) {
        await storing;
        if (errors.count > 0) {
          block = [];
          bytes = 0;
          break;
        }
        storing = store(take());
        limits = BLOCK;
        // Whoever awaits it gets its failure; until then it is not an unhandled one.
        storing.catch(() => undefined);
      }
      held.set(pendingBytes + bytes + storingBytes);
    }
    if (whole && index === 0) return refuseAll(`is empty: ${MUST_BE}`);
    await storing;
    if (block.length > 0 && errors.count === 0) await store(block);
  } catch (error) {
    await storing.catch(() => undefined);
    throw new UploadBrokenOffError(stored, error);
  }
  return { stored, errors };
}

function refuseAll(error: string): UploadOutcome {
  const errors = new ReportedErrors();
  errors.add([{ field: '', error, code: 'SIZE' }]);
  return { stored: { accepted: 0, duplicates: 0 }, errors };
}

function sumBytes(events: readonly GoodsItemEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

function readText({ found }: FoundText, index: number) {
  return typeof found === 'string'
    ? readEvent(found, index)
    : { valid: false as const, errors: [withIndex(found.error, index, undefined)] };
}
