// Generators that can be ended while they wait.

/** A generator whose `return` also ends what a pending `next` waits for; on its own it would wait behind that. */
export function endable<Item>(
  make: (end: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  const controller = new AbortController();
  const items = make(controller.signal);
  const finish = items.return.bind(items);
  items.return = (value) => {
    controller.abort();
    return finish(value);
  };
  return items;
}
