// Where a consignment goes, in colour and in words.
import { Tag } from '@digdir/designsystemet-react';
import type { Routing } from '@landfall/client';
import { useMessages } from '../language/language-context.js';
import { messages } from './messages.js';
import styles from './routing-tag.module.css';

export function RoutingTag({ routing }: { routing: Routing }) {
  const text = useMessages(messages);
  return (
    <Tag
      data-color={routing === 'TO_CONTROL' ? 'danger' : 'success'}
      className={routing === 'TO_CONTROL' ? styles.strong : undefined}
    >
      {text[routing]}
    </Tag>
  );
}
