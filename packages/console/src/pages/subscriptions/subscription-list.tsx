// The subscriptions of the organisation.
import { Paragraph } from '@digdir/designsystemet-react';
import type { Subscription } from '@landfall/client';
import { Link } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Notice } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import { StateTag } from './state-tag.js';
import { useSubscriptions } from './use-subscriptions.js';

/** @param props `hasDeleted`: one was just deleted */
export function SubscriptionList({ hasDeleted }: { hasDeleted: boolean }) {
  const text = useMessages(messages);
  return (
    <>
      {hasDeleted && <Notice color="success" title={text.deleted} text={text.deletedText} />}
      <Paragraph>
        <Link className="ds-link" href="/subscriptions?view=new">
          {text.create}
        </Link>
      </Paragraph>
      <Loaded query={useSubscriptions()}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <Empty title={text.none}>
              <Paragraph>{text.noneText}</Paragraph>
            </Empty>
          ) : (
            <Rows rows={subscriptions} />
          )
        }
      </Loaded>
    </>
  );
}

function Rows({ rows }: { rows: readonly Subscription[] }) {
  const text = useMessages(messages);
  const { count } = useNumbers();
  const columns: readonly Column<Subscription>[] = [
    {
      heading: text.receiver,
      width: 'minmax(14rem, 2fr)',
      cell: ({ id, url }) => (
        <Link className="ds-link" href={`/subscriptions?id=${id}`}>
          <Identifier>{url}</Identifier>
        </Link>
      ),
    },
    { heading: text.feed, width: 'minmax(9rem, 1fr)', cell: ({ feed }) => text[feed] },
    {
      heading: text.state,
      width: '7rem',
      cell: (subscription) => <StateTag subscription={subscription} />,
    },
    { heading: text.pending, width: '6rem', cell: ({ pending }) => count(pending) },
    {
      heading: text.confirmedAt,
      width: 'minmax(10rem, 1fr)',
      cell: ({ confirmedAt }) =>
        confirmedAt === undefined ? text.never : <OfficeTime at={confirmedAt} />,
    },
  ];
  return (
    <VirtualTable
      label={text.label}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      emphasise={({ state }) => state === 'SUSPENDED'}
    />
  );
}
