// What a block of new events does to the current items, as far as it can be known without the database.
// The rules (wire contract, section 8; decision 0040): an addition adds or replaces the item with its key. A removal
// with data removes the item with its key. One without data removes what its related event added, if that stands yet.
import { type GoodsItemEvent, type ItemKey, keyText } from './goods-item-event.js';

/** The topic of a removal that leads to nothing the stream knows. */
const UNKNOWN_TOPIC = 'unknown.00';

/** An event of a block, with where its topic is to be looked up, if it is a removal of what stood before the block. */
export type PlannedEvent = {
  event: GoodsItemEvent;
  /** What holds when nothing is found. */
  topic: string;
  topicOfEvent: string | undefined;
  topicOfItem: ItemKey | undefined;
};

/** A block as it is stored. What comes first in this type is done first. */
export type PlannedBlock = {
  events: PlannedEvent[];
  /** Additions before the block that are taken back, if they stand yet. */
  takenBack: string[];
  /** Items that do not stand after the block. */
  removed: ItemKey[];
  /** Items that stand after it, each with the place of its event in the block, counted from 1. */
  current: { item: ItemKey; place: number; topic: string }[];
};

type Addition = { item: ItemKey; id: string; place: number; topic: string };

/** Plans a block of events that are all new and follow each other. */
export function planBlock(events: readonly GoodsItemEvent[]): PlannedBlock {
  const additions = new Map<string, Addition>();
  /** The items that the block says something of: how each was added last, or that it was removed. */
  const touched = new Map<string, { item: ItemKey; addition: Addition | undefined }>();
  const planned: PlannedEvent[] = [];
  const takenBack: string[] = [];

  for (const [before, event] of events.entries()) {
    const { item, related, adds, id } = event;
    const found: PlannedEvent = {
      event,
      topic: event.topic ?? UNKNOWN_TOPIC,
      topicOfEvent: undefined,
      topicOfItem: undefined,
    };
    planned.push(found);
    if (adds && item !== undefined) {
      const addition = { item, id, place: before + 1, topic: found.topic };
      additions.set(id, addition);
      touched.set(keyText(item), { item, addition });
    } else if (item !== undefined) {
      const stood = touched.get(keyText(item));
      if (stood === undefined) found.topicOfItem = item;
      else found.topic = stood.addition?.topic ?? found.topic;
      touched.set(keyText(item), { item, addition: undefined });
    } else if (related !== undefined) {
      const added = additions.get(related);
      if (added === undefined) {
        found.topicOfEvent = related;
        takenBack.push(related);
      } else {
        found.topic = added.topic;
        const key = keyText(added.item);
        if (touched.get(key)?.addition === added) {
          touched.set(key, { item: added.item, addition: undefined });
        }
      }
    }
  }

  const all = [...touched.values()];
  return {
    events: planned,
    takenBack,
    removed: all.flatMap(({ item, addition }) => (addition === undefined ? [item] : [])),
    current: all.flatMap(({ addition }) => (addition === undefined ? [] : [addition])),
  };
}
