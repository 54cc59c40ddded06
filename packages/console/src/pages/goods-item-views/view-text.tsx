// What a view shows, as a list of its conditions.
import type { GoodsItemView } from '@landfall/client';
import { useMessages } from '../../language/language-context.js';
import styles from './goods-item-views.module.css';
import { messages } from './messages.js';

export function ViewText({ view }: { view: GoodsItemView }) {
  const text = useMessages(messages);
  const { chapters, procedures, directions, members, from, to } = view;
  const conditions = [
    directions?.map((direction) => text[direction]).join(', '),
    chapters && text.onlyChapters(chapters.join(', ')),
    procedures && text.onlyProcedures(procedures.join(', ')),
    from && text.acceptedFrom(from),
    to && text.acceptedTo(to),
    members && text.onlyMembers(members.length),
  ];
  return (
    <ul className={styles.lines}>
      {conditions.map((condition) => condition && <li key={condition}>{condition}</li>)}
    </ul>
  );
}
