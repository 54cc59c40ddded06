// Blocks of events: how many events form one, and how one changes the current items.
//
// The rules (decision 0040): an addition adds or replaces the item with its key. A removal
// with data removes the item with its key. A removal without data removes the item that its related event added,
// unless a later event replaced or removed that item.
import { type GoodsItemEvent, type ItemKey, keyText } from './goods-item-event.js';
import { type ItemFacts, UNKNOWN_FACTS } from './item-facts.js';

/** An event of a block. The facts of a removal are those of the removed item, which may have been added before the block. */
export type PlannedEvent = {
  event: GoodsItemEvent;
  /** The facts unless the database finds some by the next two members. */
  facts: ItemFacts;
  factsOfEvent: string | undefined;
  factsOfItem: ItemKey | undefined;
};

/** How a block changes the stream and the current items, in this order. */
export type PlannedBlock = {
  events: PlannedEvent[];
  /** Events before the block whose items are removed, where they are still current. */
  removedEvents: string[];
  removedItems: ItemKey[];
  /** Items that are added or replaced, each with the number of its event in the block, counted from 1. */
  addedItems: Addition[];
};

type Addition = { item: ItemKey; ordinal: number; facts: ItemFacts };

/** The limits of a block. */
export type BlockLimits = { events: number; bytes: number };

/**
 * Returns how many events form the next block: as many as the limits allow, and at least one.
 *
 * @param start the index of the first event
 */
export function countBlock(
  events: readonly { bytes: number }[],
  limits: BlockLimits,
  start = 0,
): number {
  let bytes = 0;
  let count = 0;
  for (let index = start; index < events.length && count < limits.events; index++) {
    bytes += events[index]?.bytes ?? 0;
    if (bytes > limits.bytes && count > 0) break;
    count++;
  }
  return count;
}

/** Plans a block of consecutive events that are all new. */
export function planBlock(events: readonly GoodsItemEvent[]): PlannedBlock {
  const additions = new Map<string, Addition>();
  /** The items that the block changes, each with its last addition; `undefined` when it was removed after that. */
  const changed = new Map<string, { item: ItemKey; addition: Addition | undefined }>();
  const planned: PlannedEvent[] = [];
  const removedEvents: string[] = [];

  for (const [index, event] of events.entries()) {
    const { item, related, adds, id } = event;
    const plannedEvent: PlannedEvent = {
      event,
      facts: event.facts ?? UNKNOWN_FACTS,
      factsOfEvent: undefined,
      factsOfItem: undefined,
    };
    planned.push(plannedEvent);
    if (adds && item !== undefined) {
      const addition = { item, ordinal: index + 1, facts: plannedEvent.facts };
      additions.set(id, addition);
      changed.set(keyText(item), { item, addition });
    } else if (item !== undefined) {
      const change = changed.get(keyText(item));
      if (change === undefined) plannedEvent.factsOfItem = item;
      else plannedEvent.facts = change.addition?.facts ?? plannedEvent.facts;
      changed.set(keyText(item), { item, addition: undefined });
    } else if (related !== undefined) {
      const added = additions.get(related);
      if (added === undefined) {
        plannedEvent.factsOfEvent = related;
        removedEvents.push(related);
      } else {
        plannedEvent.facts = added.facts;
        const key = keyText(added.item);
        if (changed.get(key)?.addition === added) {
          changed.set(key, { item: added.item, addition: undefined });
        }
      }
    }
  }

  const all = [...changed.values()];
  return {
    events: planned,
    removedEvents,
    removedItems: all.flatMap(({ item, addition }) => (addition === undefined ? [item] : [])),
    addedItems: all.flatMap(({ addition }) => (addition === undefined ? [] : [addition])),
  };
}
