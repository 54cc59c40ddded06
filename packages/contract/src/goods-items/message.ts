// The goods-item message: an event that adds or removes one goods item.
import { type Static, Type } from 'typebox';
import { definePattern } from '../patterns.js';
import { type Check, type CheckOptions, compileCheck } from '../validation.js';
import { UTC_DATE_TIME_PATTERN } from './date-patterns.js';
import { GoodsItem } from './goods-item.js';
import { Strict, TextUpTo } from './members.js';

/** The version of the message's schema. */
export const GOODS_ITEM_MESSAGE_VERSION = '0.10';

const EventId = (description: string) =>
  Type.String({
    format: 'uuid',
    pattern: definePattern(
      '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
      'must be a UUID in lower case',
    ),
    description,
  });

const EventType = Type.Enum(['ITEM_ADDED', 'ITEM_REMOVED', 'ITEM_ADDED_NO_HISTORY'], {
  $id: 'GoodsItemEventType',
  description:
    '`ITEM_ADDED`, `ITEM_ADDED_NO_HISTORY`: adds the item, or replaces the one with its declaration and number; `ITEM_REMOVED`: removes the item with the declaration and number in `data`, whichever event added it last; without `data`, the item that `relatedEventId` added, unless another event has replaced it since',
});

const Metadata = Strict(
  {
    eventId: EventId('Unique identifier of this event; the marker to continue from'),
    relatedEventId: Type.Optional(
      EventId('A related event, such as the one that added an item that is now removed'),
    ),
    created: Type.String({
      format: 'date-time',
      pattern: UTC_DATE_TIME_PATTERN,
      description: 'When the event was created (ISO 8601, UTC)',
      examples: ['2026-01-17T09:30:00Z'],
    }),
    eventType: EventType,
    source: TextUpTo(1000, 'Name of the application that produced the event; may change over time'),
    version: Type.Literal(GOODS_ITEM_MESSAGE_VERSION, {
      description: 'Version of the schema',
    }),
  },
  { $id: 'GoodsItemMetadata', description: 'Metadata of the event' },
);

/** Requires a member, with any value. */
const has = (name: string) => ({ required: [name], properties: { [name]: {} } });

const isRemoval = {
  required: ['metadata'],
  properties: {
    metadata: {
      required: ['eventType'],
      properties: { eventType: { const: 'ITEM_REMOVED' } },
    },
  },
};

/**
 * The rule across members: `data` may be absent only for `ITEM_REMOVED`, and then `relatedEventId` is required.
 */
const absentDataRule = [
  { if: isRemoval, else: has('data') },
  {
    // A double negation, because the validator does not report the member if a rule in `then` is broken.
    if: { not: { ...isRemoval, not: has('data') } },
    else: { properties: { metadata: has('relatedEventId') } },
  },
];

/** The message. Other members are refused. */
export const GoodsItemMessage = Type.Object(
  {
    metadata: Metadata,
    data: Type.Optional(
      Strict({ GoodsItem }, { $id: 'GoodsItemData', description: 'The goods item' }),
    ),
  },
  {
    $id: 'GoodsItemMessage',
    description:
      'An event that adds or removes one goods item. `data` may be absent only for `ITEM_REMOVED`, and then `relatedEventId` is required',
    additionalProperties: false,
    allOf: absentDataRule,
  },
);
export type GoodsItemMessage = Static<typeof GoodsItemMessage>;

/**
 * Compiles the strict check of a message. A member that is `null` is refused, because messages are published unchanged.
 *
 * @example
 * const check = compileGoodsItemCheck();
 * check({ metadata: { eventType: 'ITEM_REMOVED' } }).valid; // false
 */
export function compileGoodsItemCheck(
  options: Pick<CheckOptions, 'interpreted'> = {},
): Check<GoodsItemMessage> {
  return compileCheck<GoodsItemMessage>(GoodsItemMessage, { ...options, strict: true });
}
