// The state of a subscription, in colour and in words.
import { Tag } from '@digdir/designsystemet-react';
import type { Subscription } from '@landfall/client';
import { useMessages } from '../../language/language-context.js';
import { messages } from './messages.js';

const COLOURS = {
  VERIFYING: 'info',
  ACTIVE: 'success',
  PAUSED: 'warning',
  SUSPENDED: 'danger',
} as const;

export function StateTag({ subscription: { state, failures } }: { subscription: Subscription }) {
  const text = useMessages(messages);
  const isFailing = state === 'ACTIVE' && failures !== undefined;
  return (
    <Tag data-color={isFailing ? 'warning' : COLOURS[state]} data-size="sm">
      {isFailing ? text.failing : text[state]}
    </Tag>
  );
}
