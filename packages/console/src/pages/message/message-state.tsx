// The state of any movement message as a tag.
import { Tag } from '@digdir/designsystemet-react';
import type { LodgedMovement } from '@landfall/client';
import { useMessages } from '../../language/language-context.js';
import { TransportState } from '../transports/transport-state.js';
import { messages } from './messages.js';

/** @param props `arrivedAt`: of a transport that has arrived, if that is known */
export function MessageState({
  message,
}: {
  message: Pick<LodgedMovement, 'level' | 'state' | 'arrivedAt'>;
}) {
  const text = useMessages(messages);
  if (message.level === 'TRANSPORT') return <TransportState {...message} />;
  const { state } = message;
  return <Tag data-color={state === 'CURRENT' ? 'info' : 'neutral'}>{text[state]}</Tag>;
}
