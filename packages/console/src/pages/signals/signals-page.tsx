// The routing signals of the organisation, as they come.
import { mrnOf, type RoutingSignal } from '@landfall/client';
import { FeedPage } from '../../feeds/feed-page.js';
import { useFeeds } from '../../feeds/feeds-context.js';
import { RoutingTag } from '../../feeds/routing-tag.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { pageNames } from '../../layout/page-names.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';

const isControl = ({ routingResult }: RoutingSignal) => routingResult.routing === 'TO_CONTROL';

export function SignalsPage() {
  const text = useMessages(messages);
  const { signals: title } = useMessages(pageNames);
  const { signals } = useFeeds();
  return (
    <FeedPage
      title={title}
      text={text}
      feed={signals}
      kind={{ name: 'control', label: text.onlyControl, includes: isControl }}
      summary={text.toControl}
      table={(rows) => <SignalTable rows={rows} />}
    />
  );
}

function SignalTable({ rows }: { rows: readonly RoutingSignal[] }) {
  const text = useMessages(messages);
  const columns: readonly Column<RoutingSignal>[] = [
    {
      heading: text.routing,
      width: '6.5rem',
      cell: ({ routingResult }) => <RoutingTag routing={routingResult.routing} />,
    },
    {
      heading: text.document,
      width: 'minmax(9rem, 1.2fr)',
      cell: ({ transportDocumentHouseLevel: { documentNumber, type } }) => (
        <span>
          <strong>
            <Identifier>{documentNumber}</Identifier>
          </strong>{' '}
          {type}
        </span>
      ),
    },
    {
      heading: text.mrn,
      width: '12.5rem',
      cell: (row) => <Identifier>{mrnOf(row)}</Identifier>,
    },
    {
      heading: text.carriedIn,
      width: 'minmax(9rem, 1.4fr)',
      cell: ({ receptacleId, containerId }) => (
        <Identifier>{receptacleId ?? containerId?.join(', ') ?? '–'}</Identifier>
      ),
    },
    {
      heading: text.issued,
      width: '8rem',
      cell: ({ routingResult }) => <OfficeTime at={routingResult.documentIssueDate} />,
    },
  ];
  return (
    <VirtualTable
      label={text.label}
      columns={columns}
      rows={rows}
      keyOf={({ routingResult }) => routingResult.id}
      emphasise={isControl}
    />
  );
}
