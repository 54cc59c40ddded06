// The history of a house consignment as a timeline, the newest first: who did what, and who read what; all of it, or the
// events of one kind.

import { Field, Label, Select } from '@digdir/designsystemet-react';
import type {
  HouseConsignmentEvent,
  IssuedRouting,
  RoutingControlLocation,
} from '@landfall/client';
import { type ReactNode, useMemo, useState } from 'react';
import { messages as feedMessages } from '../../feeds/messages.js';
import { RoutingTag } from '../../feeds/routing-tag.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { Office } from '../../names/office.js';
import { Organisation } from '../../names/organisation.js';
import { VirtualList } from '../../table/virtual-list.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './view.module.css';

/** The details of all kinds of events, as the service writes them; each kind has some of them. */
type Details = {
  routing?: IssuedRouting;
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

/** From how many events on there is a choice of the kind. */
const CHOICE_FROM = 5;

export function Timeline({ history }: { history: readonly HouseConsignmentEvent[] }) {
  const text = useMessages(messages);
  const numbers = useNumbers();
  const [kind, setKind] = useState<HouseConsignmentEvent['event']>();
  const counts = useMemo(() => {
    const found = new Map<HouseConsignmentEvent['event'], number>();
    for (const { event } of history) found.set(event, (found.get(event) ?? 0) + 1);
    return found;
  }, [history]);
  const events = useMemo(
    () => history.filter(({ event }) => kind === undefined || event === kind).toReversed(),
    [history, kind],
  );
  return (
    <>
      {history.length >= CHOICE_FROM && counts.size > 1 && (
        <Field className={styles.kind}>
          <Label>{text.kind}</Label>
          <Select
            data-size="sm"
            value={kind ?? ''}
            onChange={({ target: { value } }) =>
              setKind([...counts.keys()].find((one) => one === value))
            }
          >
            <Select.Option value="">{text.anyKind(history.length)}</Select.Option>
            {[...counts].map(([one, count]) => (
              <Select.Option key={one} value={one}>
                {text[one]} ({numbers.count(count)})
              </Select.Option>
            ))}
          </Select>
        </Field>
      )}
      <VirtualList label={text.events} entries={events}>
        {(event) => (
          <div data-event={event.event} className={styles.timelineEvent}>
            <Event event={event} />
          </div>
        )}
      </VirtualList>
    </>
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
  const { customsOfficeOfPresentation: office } = known;
  const by = organisation ?? known.by;
  const facts: [string, ReactNode][] = [
    [
      event === 'SIGNALLED' ? text.recipient : text.organisation,
      by === undefined ? event === 'READ' ? undefined : text.byLandfall : <Organisation id={by} />,
    ],
    [text.client, client && <Identifier>{client}</Identifier>],
    [text.office, office && <Office key="office" code={office} />],
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
      <FactList className={styles.details} facts={facts} />
    </>
  );
}
