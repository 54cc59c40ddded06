// The state of a run, in colour and in words.
import { Tag } from '@digdir/designsystemet-react';
import type { RoutingRunState } from '@landfall/client';
import { useMessages } from '../language/language-context.js';
import { messages } from './messages.js';
import styles from './run-state-tag.module.css';

const COLOURS = {
  PROPOSED: 'warning',
  RUNNING: 'info',
  PAUSED: 'warning',
  GIVEN_UP: 'neutral',
  COMPLETED: 'success',
} as const;

export function RunStateTag({ state }: { state: RoutingRunState }) {
  const text = useMessages(messages);
  return (
    <Tag data-color={COLOURS[state]} data-size="sm" className={styles.tag}>
      {text[state]}
    </Tag>
  );
}
