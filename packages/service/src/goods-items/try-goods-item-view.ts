// Says what a view would show of the last messages of the stream.
import { type GoodsItemView, TRIED_MESSAGES, type TriedGoodsItem } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { Turns } from '../turns.js';
import { compileView } from './compile-view.js';
import { UNKNOWN_FACTS } from './item-facts.js';
import { selectLastMessages } from './view-queries.js';

/** The outcome of a trial as JSON text: the messages are in it as they would be sent. */
export async function tryGoodsItemView(database: Queryable, view: GoodsItemView): Promise<string> {
  const { shows, render } = compileView(view);
  const rows = await database.query(selectLastMessages(TRIED_MESSAGES));
  const messages: string[] = [];
  let shown = 0;
  const turns = new Turns();
  for (const { id, adds, topic, procedure, acceptedOn, entry } of rows.reverse()) {
    const isShown = shows({ topic, procedure, acceptedOn });
    const [direction = null, chapter = null] =
      topic === UNKNOWN_FACTS.topic ? [] : topic.split('.');
    const described: TriedGoodsItem = {
      eventId: id,
      direction,
      chapter,
      procedure,
      dateOfAcceptance: acceptedOn,
      shown: isShown,
    };
    const text = JSON.stringify(described);
    messages.push(isShown ? `${text.slice(0, -1)},"message":${render(entry, adds).trim()}}` : text);
    if (isShown) shown++;
    if (turns.over) await turns.next();
  }
  const counts = { examined: rows.length, shown, skipped: rows.length - shown };
  return `${JSON.stringify(counts).slice(0, -1)},"messages":[${messages.join(',')}]}`;
}
