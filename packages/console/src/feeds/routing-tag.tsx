// Where a consignment goes, in colour and in words.
import { Tag } from '@digdir/designsystemet-react';
import type { IssuedRouting } from '@landfall/client';
import { useMessages } from '../language/language-context.js';
import { messages } from './messages.js';
import styles from './routing-tag.module.css';

const colours: Record<IssuedRouting, 'danger' | 'warning' | 'success'> = {
  TO_CONTROL: 'danger',
  ENTRY_DENIED: 'danger',
  ENTRY_PENDING: 'warning',
  TO_ENTRY: 'success',
};

export function RoutingTag({ routing }: { routing: IssuedRouting }) {
  const text = useMessages(messages);
  const colour = colours[routing];
  return (
    <Tag data-color={colour} className={colour === 'danger' ? styles.strong : undefined}>
      {text[routing]}
    </Tag>
  );
}
