// Publishes an upload of any length while it is received: all or nothing up to a bound, in blocks beyond it.
import {
  ATOMIC_PUBLISH_BYTES,
  ATOMIC_PUBLISH_LIMIT,
  type FoundText,
  type GoodsItemsPublished,
  MAX_REPORTED_ERRORS,
  type ValidationError,
} from '@landfall/contract';
import { Turns } from '../turns.js';
import { type GoodsItemEvent, readEvent, withIndex } from './goods-item-event.js';
import { countBlock } from './plan-block.js';
import type { PublishBlock } from './publish-block.js';
import type { UploadPart } from './read-upload.js';
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
  /** The organisation that sends it: uploads of one take turns, and so do organisations. */
  sender: number;
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

/** Events that were read and are not in a block yet. */
class EventsRead {
  #events: GoodsItemEvent[] = [];
  #limits = ATOMIC;
  bytes = 0;

  add(event: GoodsItemEvent): void {
    this.#events.push(event);
    this.bytes += event.bytes;
  }

  /** Whether they are more than a block. */
  get areMany(): boolean {
    return this.#events.length > this.#limits.events || this.bytes > this.#limits.bytes;
  }

  takeBlock(): GoodsItemEvent[] {
    const block = this.#events.slice(0, countBlock(this.#events, this.#limits));
    this.#events = this.#events.slice(block.length);
    this.bytes = sumBytes(this.#events);
    this.#limits = BLOCK;
    return block;
  }

  takeAll(): GoodsItemEvent[] {
    const all = this.#events;
    this.clear();
    return all;
  }

  clear(): void {
    this.#events = [];
    this.bytes = 0;
  }
}

/** Stores blocks in their order, and nothing after a message that is refused. While one is stored, the next one is read. */
class BlockStore {
  readonly stored = { accepted: 0, duplicates: 0 };
  readonly #options: UploadOptions;
  readonly #errors: ReportedErrors;
  #storing: Promise<void> = Promise.resolve();
  bytes = 0;

  constructor(options: UploadOptions, errors: ReportedErrors) {
    this.#options = options;
    this.#errors = errors;
  }

  /** Begins to store a block when the one before is stored; rejects when that one could not be. */
  async add(block: readonly GoodsItemEvent[]): Promise<void> {
    await this.#storing;
    if (block.length === 0 || this.#errors.count > 0) return;
    this.#storing = this.#store(block);
    // The failure is handled where it is awaited.
    this.#storing.catch(() => undefined);
  }

  /** Resolves when every block is stored. */
  end(): Promise<void> {
    return this.#storing;
  }

  async #store(block: readonly GoodsItemEvent[]): Promise<void> {
    this.bytes = sumBytes(block);
    const { sender, publishBlock, requireAccess } = this.#options;
    await requireAccess();
    const outcome = await publishBlock(block, sender);
    this.bytes = 0;
    if (outcome.published) {
      this.stored.accepted += outcome.accepted;
      this.stored.duplicates += outcome.duplicates;
    } else {
      this.#errors.add(outcome.errors);
    }
  }
}

/**
 * Publishes the messages of an upload. After a message that is refused nothing more is stored, but the rest is still
 * checked, so that all errors are reported together.
 *
 * @throws UploadInterruptedError when the upload ends early, its sender may no longer publish, it exceeds the memory limits
 * or the database is unavailable, with the number of messages that were stored before
 */
export async function publishGoodsItems(
  parts: AsyncIterable<UploadPart>,
  options: UploadOptions,
): Promise<UploadOutcome> {
  const { sender, held, whole } = options;
  const errors = new ReportedErrors();
  const read = new EventsRead();
  const blocks = new BlockStore(options, errors);
  const turns = new Turns(sender);
  let count = 0;
  try {
    await turns.next();
    for await (const { found, pendingBytes } of parts) {
      for (const text of found) {
        const { length } = typeof text.found === 'string' ? text.found : '';
        if (turns.isOverBefore(length)) await turns.next();
        const message = readText(text, count++);
        if (message.valid) read.add(message.event);
        else errors.add(message.errors);
      }
      if (errors.count > 0) read.clear();
      if (whole && (count > ATOMIC.events || read.areMany)) {
        return refuseAll(`${MUST_BE}: more are sent as application/x-ndjson`);
      }
      while (read.areMany) {
        await blocks.add(read.takeBlock());
        if (errors.count > 0) read.clear();
      }
      held.set(pendingBytes + read.bytes + blocks.bytes);
    }
    if (whole && count === 0) return refuseAll(`is empty: ${MUST_BE}`);
    await blocks.add(read.takeAll());
    await blocks.end();
  } catch (error) {
    await blocks.end().catch(() => undefined);
    throw new UploadInterruptedError(blocks.stored, error);
  }
  return { stored: blocks.stored, errors };
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
