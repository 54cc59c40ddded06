// The state of a transport as a tag: expected, arrived, or how it has ended.
import { Tag } from '@digdir/designsystemet-react';
import { useMessages } from '../../language/language-context.js';
import { messages } from './messages.js';

type State = 'CURRENT' | 'CANCELLED' | 'EXPIRED' | 'CLOSED';

export function TransportState({ state, arrivedAt }: { state: State; arrivedAt?: string }) {
  const text = useMessages(messages);
  if (state !== 'CURRENT') return <Tag data-color="neutral">{text[state]}</Tag>;
  return arrivedAt === undefined ? (
    <Tag data-color="info">{text.expected}</Tag>
  ) : (
    <Tag data-color="success">{text.arrived}</Tag>
  );
}
