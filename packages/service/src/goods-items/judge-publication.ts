// Decides which events of a publication are new, duplicates or refused.
import type { ValidationError } from '@landfall/contract';
import { Turns } from '../turns.js';
import { digestContent, digestText } from './content-digest.js';
import { type GoodsItemEvent, type ItemKey, keyText, withIndex } from './goods-item-event.js';
import type { CheckRow, ContradictingRow, KnownRow } from './publication-queries.js';

/** One request: its events that are new as far as was checked, and the number of its duplicates. */
export type Publication = { events: readonly GoodsItemEvent[]; duplicates: number };

/** The publication without its duplicates, or why it is refused. */
export type Judgement = Publication | { errors: ValidationError[] };

/** Finds the digests of the content of events of the stream, by their eventIds. */
export type FindContentDigests = (known: readonly KnownRow[]) => Promise<Map<string, string>>;

/** Removes events that a publication repeats; an event with the eventId of another one is refused. */
export async function withoutRepetitions(
  events: readonly GoodsItemEvent[],
  sender?: number,
): Promise<Judgement> {
  const turns = new Turns(sender);
  const first = new Map<string, GoodsItemEvent>();
  const digests = new Map<string, string>();
  const errors: ValidationError[] = [];
  for (const event of events) {
    const before = first.get(event.id);
    if (before === undefined) {
      first.set(event.id, event);
      // A removal is compared only with events before it, as it would be across publications.
      const added = event.related === undefined ? undefined : first.get(event.related);
      if (added?.adds && added.item && contradicts(event, added.item)) {
        errors.push(contradicting(event, added.item));
      }
    } else if (before.entry !== event.entry) {
      const digest = digests.get(event.id) ?? contentDigest(before);
      digests.set(event.id, digest);
      if (digest !== contentDigest(event)) errors.push(reused(event));
    }
    if (turns.over) await turns.next();
  }
  if (errors.length > 0) return { errors };
  return { events: [...first.values()], duplicates: events.length - first.size };
}

/** Removes the events that the check found in the stream; events that contradict the stream are refused. */
export async function withoutKnown(
  { events, duplicates }: Publication,
  { known, contradicting: contradictions }: CheckRow,
  findContentDigests: FindContentDigests,
): Promise<Judgement> {
  if (known.length + contradictions.length === 0) return { events, duplicates };
  const turns = new Turns();
  const knownById = new Map(known.map((row) => [row.id, row]));
  const contradictionById = new Map(contradictions.map((row) => [row.id, row]));
  const errors: ValidationError[] = [];
  const left: GoodsItemEvent[] = [];
  /** Known events with another text, whose content may still be equal. */
  const otherTexts: { event: GoodsItemEvent; before: KnownRow }[] = [];
  for (const event of events) {
    const before = knownById.get(event.id);
    const added = contradictionById.get(event.id);
    if (before !== undefined) {
      if (before.text_digest !== digestText(event.entry)) otherTexts.push({ event, before });
    } else if (added !== undefined) {
      errors.push(contradicting(event, added));
    } else {
      left.push(event);
    }
    if (turns.over) await turns.next();
  }
  const digests = await findContentDigests(otherTexts.map(({ before }) => before));
  for (const { event } of otherTexts) {
    if (digests.get(event.id) !== contentDigest(event)) errors.push(reused(event));
    if (turns.over) await turns.next();
  }
  if (errors.length > 0) return { errors };
  return { events: left, duplicates: duplicates + events.length - left.length };
}

/**
 * Separates publications that must be judged after an earlier one, because they repeat one of its eventIds or remove an
 * item that it may add.
 */
export function partByDependence<Given extends Publication>(publications: readonly Given[]) {
  const ids = new Set<string>();
  const together: Given[] = [];
  const later: Given[] = [];
  for (const publication of publications) {
    const depends = publication.events.some(
      ({ id, related, item, adds }) =>
        ids.has(id) || (!adds && item !== undefined && related !== undefined && ids.has(related)),
    );
    (depends ? later : together).push(publication);
    // This includes publications that are judged later, so that their successors keep their order.
    for (const { id } of publication.events) ids.add(id);
  }
  return { together, later };
}

function contentDigest({ entry }: GoodsItemEvent): string {
  return digestContent(entry).toString('hex');
}

/** Whether the data of a removal names another item than the one that its related event added. */
function contradicts({ adds, item }: GoodsItemEvent, added: ItemKey): boolean {
  return !adds && item !== undefined && keyText(item) !== keyText(added);
}

function reused({ index, id }: GoodsItemEvent): ValidationError {
  return withIndex(
    {
      field: 'metadata.eventId',
      error: 'was published before with other content',
      code: 'EVENT_ID_REUSED',
    },
    index,
    id,
  );
}

function contradicting(
  { index, id }: GoodsItemEvent,
  added: ItemKey | ContradictingRow,
): ValidationError {
  return withIndex(
    {
      field: 'metadata.relatedEventId',
      error: `added item ${added.number} of ${added.declaration}, which is not the item in data`,
      code: 'FORMAT',
    },
    index,
    id,
  );
}
