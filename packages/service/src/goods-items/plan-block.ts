// Blocks of events: how many events form one, and how one changes the current items.
//
// The rules (decision 0040): an addition adds or replaces the item with its key. A removal
// with data removes the item with its key. A removal without data removes the item that its related event added,
// unless a later event replaced or removed that item.
import { type GoodsItemEvent, type ItemKey, keyText } from './goods-item-event.js';

/** The topic of a removal whose related event is unknown. */
const UNKNOWN_TOPIC = 'unknown.00';

/** An event of a block. The topic of a removal is that of the removed item, which may have been added before the block. */
export type PlannedEvent = {
  event: GoodsItemEvent;
  /** The topic unless the database finds one by the next two members. */
  topic: string;
  topicOfEvent: string | undefined;
  topicOfItem: ItemKey | undefined;
};

/** How a block changes the stream and the current items, in this order. */
export type PlannedBlock = {
  events: PlannedEvent[];
  /** Events before the block whose items are removed, where they are still current. */
  removedEvents: string[];
  removedItems: ItemKey[];
  /** Items that are added or replaced, each with the number of its event in the block, counted from 1. */
  addedItems: { item: ItemKey; ordinal: number; topic: string }[];
};

type Addition = { item: ItemKey; ordinal: number; topic: string };

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
      topic: event.topic ?? UNKNOWN_TOPIC,
      topicOfEvent: undefined,
      topicOfItem: undefined,
    };
    planned.push(plannedEvent);
    if (adds && item !== undefined) {
      const addition = { item, ordinal: index + 1, topic: plannedEvent.topic };
      additions.set(id, addition);
      changed.set(keyText(item), { item, addition });
    } else if (item !== undefined) {
      const change = changed.get(keyText(item));
      if (change === undefined) plannedEvent.topicOfItem = item;
      else plannedEvent.topic = change.addition?.topic ?? plannedEvent.topic;
      changed.set(keyText(item), { item, addition: undefined });
    } else if (related !== undefined) {
      const added = additions.get(related);
      if (added === undefined) {
        plannedEvent.topicOfEvent = related;
        removedEvents.push(related);
      } else {
        plannedEvent.topic = added.topic;
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
