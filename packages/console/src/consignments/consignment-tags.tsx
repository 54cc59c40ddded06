// What has become of a house consignment, in colour and in words: its state, and the current decision.
import { Tag } from '@digdir/designsystemet-react';
import type { HouseConsignment, HouseConsignmentState } from '@landfall/client';
import { RoutingTag } from '../feeds/routing-tag.js';
import { useMessages } from '../language/language-context.js';
import { messages } from './messages.js';

const colours: Record<HouseConsignmentState, 'neutral' | 'info' | 'warning'> = {
  PRE_NOTIFIED: 'neutral',
  DECIDED: 'neutral',
  PRESENTED: 'warning',
  SIGNALLED: 'info',
  WITHDRAWN: 'neutral',
};

export function ConsignmentTags({ consignment }: { consignment: HouseConsignment }) {
  const text = useMessages(messages);
  const { state, routing } = consignment;
  return (
    <>
      <Tag data-color={colours[state]}>{text[state]}</Tag>
      {routing !== undefined && <RoutingTag routing={routing} />}
    </>
  );
}
