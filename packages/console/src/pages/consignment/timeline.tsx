// The history of a house consignment as a timeline, the newest last: who did what, and who read what.
import type { HouseConsignmentEvent, Routing, RoutingControlLocation } from '@landfall/client';
import type { ReactNode } from 'react';
import { messages as feedMessages } from '../../feeds/messages.js';
import { RoutingTag } from '../../feeds/routing-tag.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { OfficeTime } from '../../time/office-time.js';
import styles from './consignment.module.css';
import { messages } from './messages.js';

/** The details of all kinds of events, as the service writes them; each kind has some of them. */
type Details = {
  routing?: Routing;
  routingControlLocation?: RoutingControlLocation;
  reason?: string;
  profile?: string;
  profileVersion?: number;
  profileRule?: number;
  level?:
    | 'HOUSE_CONSIGNMENT'
    | 'MASTER_CONSIGNMENT'
    | 'CONTAINER'
    | 'RECEPTACLE'
    | 'ENTRY_SUMMARY_DECLARATION';
  customsOfficeOfPresentation?: string;
  members?: readonly string[];
  days?: number;
  by?: string;
  requestId?: string;
};

export function Timeline({ history }: { history: readonly HouseConsignmentEvent[] }) {
  return (
    <ol className={styles.timeline}>
      {history.map((event, index) => (
        <li key={index} data-event={event.event}>
          <Event event={event} />
        </li>
      ))}
    </ol>
  );
}

function Event({
  event: { at, event, organisation, client, requestId, details },
}: {
  event: HouseConsignmentEvent;
}) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  // The cast is true because the service writes these members.
  const known = (details ?? {}) as Details;
  const { routing, routingControlLocation: location, level, profile, members, days } = known;
  const by = organisation ?? known.by;
  const facts: [string, ReactNode][] = [
    [
      event === 'SIGNALLED' ? text.recipient : text.organisation,
      by === undefined ? (
        event === 'READ' ? undefined : (
          text.byLandfall
        )
      ) : (
        <Identifier>{by}</Identifier>
      ),
    ],
    [text.client, client && <Identifier>{client}</Identifier>],
    [text.office, known.customsOfficeOfPresentation],
    [text.level, level && names[level]],
    [text.reason, known.reason],
    [
      text.profile,
      profile && text.profileRule(profile, known.profileVersion ?? 0, known.profileRule ?? 0),
    ],
    [text.members, members?.join(', ')],
    [text.days, days],
    [text.request, (requestId ?? known.requestId) && <code>{requestId ?? known.requestId}</code>],
  ];
  return (
    <>
      <div className={styles.event}>
        <strong>{text[event]}</strong>
        {routing !== undefined && <RoutingTag routing={routing} />}
        {location !== undefined && <span>{names[location]}</span>}
        <OfficeTime at={at} />
      </div>
      <dl className={styles.details}>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  );
}
