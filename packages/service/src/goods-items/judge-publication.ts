// What of a publication is new, what is a duplicate and what is refused. Wire contract, section 8.
import type { ValidationError } from '@landfall/contract';
import { digestContent, digestText } from './content-digest.js';
import { type GoodsItemEvent, type ItemKey, keyText, withIndex } from './goods-item-event.js';
import type { CheckRow, ContradictingRow, KnownRow } from './queries.js';
import { Turns } from './turns.js';

/** One request on its way: what is new of it as far as is known. */
export type Publication = { events: readonly GoodsItemEvent[]; duplicates: number };

/** What is left of a publication, or why it is refused. */
export type Judgement = Publication | { errors: ValidationError[] };

/** Digests of what events of the stream say, by their eventIds. */
export type FindContentDigests = (known: readonly KnownRow[]) => Promise<Map<string, string>>;

/** An event that a publication repeats counts once; another one under the same eventId is refused. */
export async function withoutRepetitions(events: readonly GoodsItemEvent[]): Promise<Judgement> {
  const turns = new Turns();
  const first = new Map<string, GoodsItemEvent>();
  const digests = new Map<string, string>();
  const errors: ValidationError[] = [];
  for (const event of events) {
    const before = first.get(event.id);
    if (before === undefined) {
      first.set(event.id, event);
      // What comes later is not in the stream yet: a removal is judged by what was added before it.
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

/** What is new of a publication, after the check of the stream has found what is not. */
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
  /** Known events whose text is another: what they say may be the same all the same. */
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
 * Publications whose outcome depends on an earlier one, which must be judged after it: they repeat one of its
 * eventIds, or remove what it may add.
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
    // Also those of one that is judged later: what comes after it stays after it.
    for (const { id } of publication.events) ids.add(id);
  }
  return { together, later };
}

function contentDigest({ entry }: GoodsItemEvent): string {
  return digestContent(entry).toString('hex');
}

/** Whether a removal says of an item that it is removed, and by its related event that another one is. */
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
