// The messages that a message is coupled to: what it hangs on, and what hangs on it, with ways to the goods of each.
import { Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import type { CoupledMovement, LodgedMovement } from '@landfall/client';
import { Link } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Empty } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import styles from './message.module.css';
import { messages } from './messages.js';

export function Coupled({
  movement: { level, above, below, moreAbove, moreBelow },
}: {
  movement: LodgedMovement;
}) {
  const text = useMessages(messages);
  if (above.length === 0 && below.length === 0) {
    return (
      <Empty title={text.nothingCoupled}>
        <Paragraph>{text.nothingCoupledText}</Paragraph>
      </Empty>
    );
  }
  return (
    <>
      {above.length > 0 && (
        <CoupledTable title={text.above} text={undefined} rows={above} hasMore={moreAbove} />
      )}
      {below.length > 0 && (
        <CoupledTable
          title={text.below}
          text={level === 'TRANSPORT' ? text.belowTransport : undefined}
          rows={below}
          hasMore={moreBelow}
        />
      )}
    </>
  );
}

function CoupledTable({
  title,
  text: explanation,
  rows,
  hasMore,
}: {
  title: string;
  text: string | undefined;
  rows: readonly CoupledMovement[];
  hasMore: boolean;
}) {
  const text = useMessages(messages);
  const columns: readonly Column<CoupledMovement>[] = [
    {
      heading: text.coupledName,
      width: 'minmax(13rem, 1.5fr)',
      cell: (one) => (
        <>
          <Link className="ds-link" href={`/movements/${one.mrn}`}>
            <Identifier>{nameOf(one)}</Identifier>
          </Link>
          <div className={styles.second}>
            {text[one.level]}, <Identifier>{one.mrn}</Identifier>
          </div>
        </>
      ),
    },
    {
      heading: text.state,
      width: 'minmax(7rem, 0.7fr)',
      cell: ({ state }) => (
        <Tag data-color={state === 'CURRENT' ? 'info' : 'neutral'}>{text[state]}</Tag>
      ),
    },
    {
      heading: text.scheduled,
      width: 'minmax(9rem, 1fr)',
      cell: ({ scheduledDateAndTimeOfArrival: at }) =>
        at === undefined ? '–' : <OfficeTime at={at} />,
    },
    {
      heading: text.goods,
      width: 'minmax(7rem, 0.7fr)',
      cell: (one) => (
        <Link
          className="ds-link"
          href={goodsAddress(one)}
          aria-label={`${text.goods}: ${nameOf(one)}`}
        >
          {text.goods}
        </Link>
      ),
    },
  ];
  return (
    // No region: the table in it is one, with the same name.
    <div className={styles.part}>
      <Heading level={2} data-size="xs">
        {title}
      </Heading>
      {explanation !== undefined && <Paragraph>{explanation}</Paragraph>}
      <VirtualTable label={title} columns={columns} rows={rows} keyOf={({ mrn }) => mrn} />
      {hasMore && <Paragraph>{text.moreCoupled(rows.length)}</Paragraph>}
    </div>
  );
}

/** What people call it: the means of a transport, or the document or the receptacle of a consignment. */
function nameOf({
  mrn,
  document,
  receptacleIdentificationNumber: receptacle,
  identificationNumber: means,
  conveyanceReferenceNumber: journey,
}: CoupledMovement): string {
  const parts = document ? [document.documentNumber, document.type] : [means, journey, receptacle];
  return parts.filter((part) => part !== undefined).join(' ') || mrn;
}

/** Where the goods are: a house consignment is found by its MRN, those of a master consignment by its document. */
function goodsAddress({ mrn, level, document }: CoupledMovement): string {
  if (level === 'HOUSE_CONSIGNMENT') return `/declarations/${mrn}`;
  return level === 'MASTER_CONSIGNMENT' && document !== undefined
    ? `/search?id=${encodeURIComponent(document.documentNumber)}`
    : `/movements/${mrn}?view=coupled`;
}
