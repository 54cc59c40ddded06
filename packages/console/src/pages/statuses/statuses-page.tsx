// The validation statuses of the organisation's presentations, as they come.
import { Paragraph, Tag } from '@digdir/designsystemet-react';
import type { ValidationStatus } from '@landfall/client';
import { Link } from 'wouter';
import { FeedPage } from '../../feeds/feed-page.js';
import { useFeeds } from '../../feeds/feeds-context.js';
import { messages as feedMessages } from '../../feeds/messages.js';
import styles from '../../feeds/routing-tag.module.css';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { pageNames } from '../../layout/page-names.js';
import { useRuleText } from '../../states/validation-texts.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';

const isRefused = ({ status }: ValidationStatus) => status === 'FAILURE';

export function StatusesPage() {
  const text = useMessages(messages);
  const { statuses: title } = useMessages(pageNames);
  const { statuses } = useFeeds();
  return (
    <FeedPage
      title={title}
      text={text}
      feed={statuses}
      kind={{ name: 'refused', label: text.onlyRefused, includes: isRefused }}
      table={(rows) => <StatusTable rows={rows} />}
    />
  );
}

function StatusTable({ rows }: { rows: readonly ValidationStatus[] }) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const columns: readonly Column<ValidationStatus>[] = [
    {
      heading: text.status,
      width: 'minmax(11rem, 2fr)',
      cell: (status) => <Outcome status={status} />,
    },
    { heading: text.level, width: 'minmax(7.25rem, 1fr)', cell: ({ level }) => names[level] },
    {
      heading: text.mrn,
      width: '12.25rem',
      cell: ({ mrn }) => <Identifier>{mrn ?? '–'}</Identifier>,
    },
    {
      heading: text.consignments,
      width: '7rem',
      cell: ({ houseConsignments }) => houseConsignments,
    },
    {
      heading: text.received,
      width: '7.5rem',
      cell: ({ notificationDate }) => <OfficeTime at={notificationDate} />,
    },
    {
      heading: text.requestId,
      width: 'minmax(6.75rem, 1fr)',
      cell: ({ requestId }) => (
        <Link className="ds-link" href={`/presentations/${requestId}`}>
          <code>{requestId}</code>
        </Link>
      ),
    },
  ];
  return (
    <VirtualTable
      label={text.label}
      columns={columns}
      rows={rows}
      keyOf={({ requestId }) => requestId}
      emphasise={isRefused}
    />
  );
}

/** The outcome, with every broken rule. */
function Outcome({ status: { status, validationErrorList = [] } }: { status: ValidationStatus }) {
  const names = useMessages(feedMessages);
  const textOf = useRuleText();
  return (
    <>
      <Tag
        data-color={status === 'FAILURE' ? 'danger' : 'success'}
        className={status === 'FAILURE' ? styles.strong : undefined}
      >
        {names[status]}
      </Tag>
      {validationErrorList.map(({ code, description, pointer }) => (
        <Paragraph key={`${code} ${pointer.messageElementPath}`} data-size="sm">
          <code>{pointer.messageElementPath}</code> {textOf({ code, error: description })} ({code})
        </Paragraph>
      ))}
    </>
  );
}
