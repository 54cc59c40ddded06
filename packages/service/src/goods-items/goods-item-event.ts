// A goods-item message as it is stored: its text, and the members that the current items and the relay need.
import {
  compileGoodsItemReader,
  type GoodsItemMessage,
  type ValidationError,
} from '@landfall/contract';
import { factsOf, type ItemFacts } from './item-facts.js';

/** The key of a goods item: its declaration and its number in it. */
export type ItemKey = { declaration: string; number: number };

/** One event of the stream, before it has a position. */
export type GoodsItemEvent = {
  /** The index of the message in its request. */
  index: number;
  id: string;
  related: string | undefined;
  /** Whether it adds its item, or removes it. */
  adds: boolean;
  /** `undefined` for a removal without data. */
  item: ItemKey | undefined;
  /** By what views decide; `undefined` for a removal without data. */
  facts: ItemFacts | undefined;
  /** The JSON text, sent to readers as it is. */
  entry: string;
  /** The length of `entry` in UTF-8. */
  bytes: number;
};

/** An event, or all broken rules of the message. */
export type ReadEvent =
  | { valid: true; event: GoodsItemEvent }
  | { valid: false; errors: ValidationError[] };

const read = compileGoodsItemReader();

/**
 * Reads one message.
 *
 * @param text JSON on one line; readers get it as it is
 * @param index the index of the message in its request
 */
export function readEvent(text: string, index: number): ReadEvent {
  const message = read(text);
  return message.valid
    ? { valid: true, event: toEvent(message.message, text, index) }
    : {
        valid: false,
        errors: message.errors.map((error) => withIndex(error, index, message.eventId)),
      };
}

/** The key as one text. */
export function keyText({ declaration, number }: ItemKey): string {
  return `${declaration}/${number}`;
}

/** Adds to an error the index and the eventId of its message. */
export function withIndex(
  error: ValidationError,
  index: number,
  eventId: string | undefined,
): ValidationError {
  return { index, ...(eventId !== undefined && { eventId }), ...error };
}

function toEvent(
  { metadata, data }: GoodsItemMessage,
  entry: string,
  index: number,
): GoodsItemEvent {
  const item = data?.GoodsItem;
  return {
    index,
    id: metadata.eventId,
    related: metadata.relatedEventId,
    adds: metadata.eventType !== 'ITEM_REMOVED',
    item: item && { declaration: item.DeclarationIdentification, number: item.GoodsItemNumber },
    facts: item && factsOf(item),
    entry,
    bytes: Buffer.byteLength(entry),
  };
}
