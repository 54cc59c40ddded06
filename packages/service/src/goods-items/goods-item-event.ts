// A goods-item message as it is stored: checked, and what has to be known of it to keep the current items.
import {
  compileGoodsItemReader,
  type GoodsItemMessage,
  type ValidationError,
} from '@landfall/contract';

/** A goods item: its declaration and its number there. */
export type ItemKey = { declaration: string; number: number };

/** One event of the stream, before it has a position. */
export type GoodsItemEvent = {
  /** Which message of its request, counted from 0. */
  index: number;
  id: string;
  related: string | undefined;
  /** Whether it adds its item, or removes it. */
  adds: boolean;
  /** `undefined` for a removal without data. */
  item: ItemKey | undefined;
  /** What its subject ends with: `<direction>.<HS chapter>`; `undefined` for a removal without data. */
  topic: string | undefined;
  /** The text that is sent to readers. */
  entry: string;
  /** How long it is in UTF-8. */
  bytes: number;
};

/** An event, or every rule that the message breaks. */
export type ReadEvent =
  | { valid: true; event: GoodsItemEvent }
  | { valid: false; errors: ValidationError[] };

const read = compileGoodsItemReader();

/**
 * Reads one message.
 *
 * @param text JSON in one line; it is what readers get
 * @param index which message of its request, counted from 0
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

/** An error of a message, with the index of that message in its request. */
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
    topic:
      item &&
      `${item.Declaration.DeclarationDirection}.${item.CommodityCode.HarmonizedSystemSubheadingCode.slice(0, 2)}`,
    entry,
    bytes: Buffer.byteLength(entry),
  };
}
