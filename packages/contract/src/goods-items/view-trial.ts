// What a view of the goods-item stream shows of the last messages.
import { type Static, Type } from 'typebox';
import { Count } from '../quantities.js';
import { ShownGoodsItemMessage } from './shown-message.js';

/** How many of the last messages a view is tried on. */
export const TRIED_MESSAGES = 1000;

/** What a message is about, by which a view decides; `null` where nobody knows, of a removal of an unknown item. */
const facts = {
  direction: Type.Union([Type.String(), Type.Null()], { description: '`I` or `O`' }),
  chapter: Type.Union([Type.String(), Type.Null()]),
  procedure: Type.Union([Type.String(), Type.Null()]),
  dateOfAcceptance: Type.Union([Type.String(), Type.Null()]),
};

/** A message on which a view was tried. */
export const TriedGoodsItem = Type.Object(
  {
    eventId: Type.String({ format: 'uuid' }),
    ...facts,
    shown: Type.Boolean({ description: 'Whether the view shows the message' }),
    message: Type.Optional(ShownGoodsItemMessage),
  },
  {
    $id: 'TriedGoodsItem',
    description:
      'A message on which a view was tried, with what decides: for a removal, that of the item that it removes. `message` is there if it is shown, with the members that are granted',
  },
);
export type TriedGoodsItem = Static<typeof TriedGoodsItem>;

/** What a view shows of the last messages. */
export const GoodsItemViewTrial = Type.Object(
  {
    examined: Count(`The last messages of the stream, ${TRIED_MESSAGES} at most`),
    shown: Count('How many of them the view shows'),
    skipped: Count('How many it does not show'),
    messages: Type.Array(TriedGoodsItem, { description: 'Oldest first' }),
  },
  { $id: 'GoodsItemViewTrial', description: 'What a view shows of the last messages' },
);
export type GoodsItemViewTrial = Static<typeof GoodsItemViewTrial>;
