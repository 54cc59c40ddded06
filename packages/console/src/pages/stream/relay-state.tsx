// How far the relay to NATS is, for those who may see the status of the service.
import { Paragraph } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';
import { messages } from './messages.js';

const POLL_INTERVAL_MS = 15_000;

/** Nothing without a relay, or while its state is not known. */
export function RelayState() {
  const text = useMessages(messages);
  const { count } = useNumbers();
  const landfall = useLandfall();
  const status = useQuery({
    queryKey: ['service-status', 1],
    queryFn: () => landfall.getServiceStatus({ hours: 1 }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  const relay = status.data?.relays.find(({ name }) => name === 'goods-items');
  if (relay === undefined) return null;
  return (
    <Paragraph data-size="sm">
      {text.relayed(count(relay.position), count(relay.lag))}{' '}
      {relay.server === undefined ? text.notRelayed : text.relayedBy(relay.server)}
    </Paragraph>
  );
}
