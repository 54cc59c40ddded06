// Publishes an upload of any length while it is received: all or nothing up to a bound, in blocks beyond it.
import {
  ATOMIC_PUBLISH_BYTES,
  ATOMIC_PUBLISH_LIMIT,
  type FoundText,
  type GoodsItemsPublished,
  MAX_REPORTED_ERRORS,
  type ValidationError,
} from '@landfall/contract';
import { type GoodsItemEvent, readEvent, withIndex } from './goods-item-event.js';
import { countBlock } from './plan-block.js';
import type { PublishBlock } from './publish-block.js';
import type { UploadPart } from './read-upload.js';
import { Turns } from './turns.js';
import type { HeldBytes } from './upload-budget.js';

/** The limits of what is published all or none. */
const ATOMIC = { events: ATOMIC_PUBLISH_LIMIT, bytes: ATOMIC_PUBLISH_BYTES };

/** The limits of a block, once an upload is larger. */
const BLOCK = { events: 2000, bytes: 4 * 1024 * 1024 };

const MUST_BE = `size must be between 1 and ${ATOMIC.events} messages of at most ${ATOMIC.bytes} bytes together`;

/** The outcome of an upload: how many messages were stored, and the broken rules. */
export type UploadOutcome = { stored: GoodsItemsPublished; errors: ReportedErrors };

/** The upload was interrupted; the messages that were stored before are kept. */
export class UploadInterruptedError extends Error {
  override name = 'UploadInterruptedError';
  readonly stored: GoodsItemsPublished;

  constructor(stored: GoodsItemsPublished, cause: unknown) {
    super('the upload was interrupted', { cause });
    this.stored = stored;
  }
}

/** How an upload is published. */
export type UploadOptions = {
  publishBlock: PublishBlock;
  /** Throws if the sender may no longer publish: called before each block. */
  requireAccess: () => Promise<void>;
  /** Counts the bytes that the upload holds in memory. */
  held: HeldBytes;
  /** Whether an upload that is too large to be published all or none is refused, instead of stored in blocks. */
  whole: boolean;
};

/** Collects broken rules: the first ones, and how many there are. */
class ReportedErrors {
  readonly reported: ValidationError[] = [];
  count = 0;

  add(errors: readonly ValidationError[]): void {
    this.count += errors.length;
    this.reported.push(...errors.slice(0, MAX_REPORTED_ERRORS - this.reported.length));
  }
}

/**
 * Publishes the messages of an upload. After a message that is refused nothing more is stored, but the rest is still
 * checked, so that all errors are reported together.
 *
 * @throws UploadInterruptedError when the upload ends early, its sender may no longer publish, it exceeds the memory limits or the database is unavailable,
 * with the number of messages that were stored before
 */
export async function publishGoodsItems(
  parts: AsyncIterable<UploadPart>,
  { publishBlock, requireAccess, held, whole }: UploadOptions,
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
    const taken = block.slice(0, countBlock(block, limits));
    block = block.slice(taken.length);
    bytes = sumBytes(block);
    return taken;
  };
  const store = async (events: readonly GoodsItemEvent[]) => {
    storingBytes = sumBytes(events);
    await requireAccess();
    const outcome = await publishBlock(events);
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
        // The failure is handled where `storing` is awaited.
        storing.catch(() => undefined);
      }
      held.set(pendingBytes + bytes + storingBytes);
    }
    if (whole && index === 0) return refuseAll(`is empty: ${MUST_BE}`);
    await storing;
    if (block.length > 0 && errors.count === 0) await store(block);
  } catch (error) {
    await storing.catch(() => undefined);
    throw new UploadInterruptedError(stored, error);
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
