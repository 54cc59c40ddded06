// Publishes an upload of any length as it comes: all or nothing up to a number of messages, in blocks beyond that.
import { ATOMIC_PUBLISH_LIMIT, type GoodsItemsPublished } from '@landfall/contract';
import { type GoodsItemEvent, readEvent, withIndex } from './goods-item-event.js';
import type { PublishGoodsItems } from './publish-goods-items.js';
import type { UploadLine } from './read-lines.js';
import { ToldErrors } from './told-errors.js';

/** Messages of a block, once more than can be all or nothing have come. */
const BLOCK = 2000;

/** What became of an upload: how much is stored, and what was wrong. */
export type UploadOutcome = { stored: GoodsItemsPublished; errors: ToldErrors };

/** The upload could not go on; what is stored by then stays stored. */
export class UploadBrokenOffError extends Error {
  override name = 'UploadBrokenOffError';
  readonly stored: GoodsItemsPublished;

  constructor(stored: GoodsItemsPublished, cause: unknown) {
    super('the upload broke off', { cause });
    this.stored = stored;
  }
}

/**
 * Publishes the messages of an upload. After one that is refused nothing more is stored; the rest is read all the
 * same, so that all that is wrong is told at once.
 *
 * @throws UploadBrokenOffError when the upload ends early or the database is away, with what was stored by then
 */
export async function publishUpload(
  lines: AsyncIterable<readonly UploadLine[]>,
  publish: PublishGoodsItems,
): Promise<UploadOutcome> {
  const errors = new ToldErrors();
  const stored = { accepted: 0, duplicates: 0 };
  const store = async (events: readonly GoodsItemEvent[]) => {
    const outcome = await publish(events);
    if (outcome.published) {
      stored.accepted += outcome.accepted;
      stored.duplicates += outcome.duplicates;
    } else {
      errors.add(outcome.errors);
    }
  };
  // While a block is stored, the next one is read.
  let storing: Promise<void> = Promise.resolve();
  let block: GoodsItemEvent[] = [];
  let most = ATOMIC_PUBLISH_LIMIT;
  let index = 0;
  try {
    for await (const some of lines) {
      for (const line of some) {
        const read = readLine(line, index++);
        if (!read.valid) errors.add(read.errors);
        else if (errors.count === 0) block.push(read.event);
      }
      if (errors.count > 0) block = [];
      while (block.length > most) {
        await storing;
        const next = errors.count === 0 ? block.slice(0, most) : [];
        block = errors.count === 0 ? block.slice(most) : [];
        most = BLOCK;
        if (next.length > 0) storing = store(next);
        // Whoever awaits it is told; until then it is not unheard.
        storing.catch(() => undefined);
      }
    }
    await storing;
    for (let start = 0; start < block.length && errors.count === 0; start += most) {
      await store(block.slice(start, start + most));
    }
  } catch (error) {
    await storing.catch(() => undefined);
    throw new UploadBrokenOffError(stored, error);
  }
  return { stored, errors };
}

function readLine(line: UploadLine, index: number) {
  return typeof line === 'string'
    ? readEvent(line, index)
    : { valid: false as const, errors: [withIndex(line.unreadable, index, undefined)] };
}
