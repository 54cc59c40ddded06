// Applies a function to the items of a source, several at a time.

import { endable } from '../http/endable.js';
import { iterate } from '../http/iterate.js';
import { onAbort } from '../http/on-abort.js';

/** Items that are available, or that come. */
export type Source<Item> = Iterable<Item> | AsyncIterable<Item>;

/**
 * Yields the results as they come. An item is taken from the source only when fewer than `concurrency` items are in
 * progress or have a result that was not taken yet.
 *
 * After a failure no more items are taken. Those in progress are completed and their results are yielded; then the
 * failure is thrown. If the reader stops early, those in progress are completed first.
 *
 * @param apply its signal aborts with that of the caller
 * @param signal stops like a failure, with its reason
 */
export function mapConcurrently<Item, Result extends object>(
  source: Source<Item>,
  concurrency: number,
  apply: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): AsyncGenerator<Result, void, undefined> {
  return endable((end) => mapUntil(source, concurrency, apply, signal, end));
}

/** @param end takes no more items when it aborts, although it waits for the source */
async function* mapUntil<Item, Result extends object>(
  source: Source<Item>,
  concurrency: number,
  apply: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal | undefined,
  end: AbortSignal,
): AsyncGenerator<Result, void, undefined> {
  const items = iterate(source, 'items');
  const results: Result[] = [];
  const failures: unknown[] = [];
  const controllers = new Set<AbortController>();
  let count = 0;
  let inProgress = 0;
  let isTaking = false;
  let isStopped = false;
  let wake = () => {};

  const fail = (error: unknown) => {
    failures.push(error);
    isStopped = true;
  };
  const applyTo = async (item: Item) => {
    inProgress++;
    // One signal for each item: a signal with many listeners makes Node.js warn of a leak.
    const controller = new AbortController();
    controllers.add(controller);
    try {
      results.push(await apply(item, count++, controller.signal));
    } catch (error) {
      fail(error);
    }
    controllers.delete(controller);
    inProgress--;
    wake();
  };
  const take = async () => {
    if (isTaking) return;
    isTaking = true;
    try {
      while (!isStopped && inProgress + results.length < concurrency) {
        const next = await items.next();
        if (next.done) isStopped = true;
        else if (!isStopped) void applyTo(next.value);
      }
    } catch (error) {
      fail(error);
    }
    isTaking = false;
    wake();
  };
  const abort = () => {
    fail(signal?.reason);
    for (const controller of controllers) controller.abort(signal?.reason);
    wake();
  };

  end.addEventListener('abort', () => {
    isStopped = true;
    wake();
  });
  signal?.throwIfAborted();
  const forget = onAbort(signal, abort);
  try {
    for (;;) {
      void take();
      const result = results.shift();
      if (result !== undefined) {
        yield result;
      } else if (isStopped && inProgress === 0) {
        break;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (failures.length > 0) throw failures[0];
  } finally {
    isStopped = true;
    forget();
    while (inProgress > 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // A source that is still waited for ends when it has its next item.
    const ended = (async () => items.return?.())();
    // It may fail when nobody waits for it any more.
    ended.catch(() => undefined);
    if (!isTaking) await ended;
  }
}
