// What matches the filter: how many, and a sample.

import { Button, Heading, Paragraph } from '@digdir/designsystemet-react';
import { type HouseConsignment, mrnOf } from '@landfall/client';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { type Listed, MAX_COLLECTED, sampleOf } from '../../consignments/collect-consignments.js';
import { DecisionText } from '../../feeds/decision-text.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Office } from '../../names/office.js';
import { Empty, Failed, Notice } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { useFormatTime } from '../../time/office-time.js';
import styles from './decide.module.css';
import { messages } from './messages.js';

/** How many house consignments are shown. */
const SAMPLE = 20;

export function Preview({ list, found }: { list: UseQueryResult<Listed>; found: number }) {
  const text = useMessages(messages);
  const queries = useQueryClient();
  return (
    <section className={styles.section} aria-labelledby="preview">
      <Heading level={2} data-size="sm" id="preview">
        {text.preview}
      </Heading>
      {list.isFetching ? (
        <div className={styles.row}>
          <Paragraph role="status">{text.collecting(found)}</Paragraph>
          <Button
            variant="secondary"
            data-size="sm"
            onClick={() => void queries.cancelQueries({ queryKey: ['decide'] })}
          >
            {text.stop}
          </Button>
        </div>
      ) : list.isError ? (
        <Failed error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <ListAgain onList={() => void list.refetch()} />
      ) : (
        <Matches list={list.data} onList={() => void list.refetch()} />
      )}
    </section>
  );
}

function ListAgain({ onList }: { onList: () => void }) {
  const text = useMessages(messages);
  return (
    <Button variant="secondary" data-size="sm" className={styles.start} onClick={onList}>
      {text.again}
    </Button>
  );
}

function Matches({ list, onList }: { list: Listed; onList: () => void }) {
  const text = useMessages(messages);
  const format = useFormatTime();
  const { consignments, extent, at } = list;
  const count = consignments.length;
  if (extent === 'more') {
    return (
      <Notice color="warning" title={text.atLeast(count)} text={text.tooWide(MAX_COLLECTED)} />
    );
  }
  if (count === 0) {
    return (
      <Empty title={text.none}>
        <Paragraph>{text.noneText}</Paragraph>
        <ListAgain onList={onList} />
      </Empty>
    );
  }
  const sample = sampleOf(consignments, SAMPLE);
  return (
    <>
      <Notice
        color="info"
        title={count === 1 ? text.match : text.matches(count)}
        text={text.listedAt(format(at))}
      />
      <div className={styles.row}>
        {sample.length < count && <Paragraph>{text.sample(sample.length)}</Paragraph>}
        <ListAgain onList={onList} />
      </div>
      <Sample consignments={sample} />
    </>
  );
}

function Sample({ consignments }: { consignments: readonly HouseConsignment[] }) {
  const text = useMessages(messages);
  const columns: readonly Column<HouseConsignment>[] = [
    {
      heading: text.document,
      width: 'minmax(12rem, 1.2fr)',
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
      width: 'minmax(12.5rem, 1fr)',
      cell: (row) => <Identifier>{mrnOf(row)}</Identifier>,
    },
    {
      heading: text.office,
      width: '8rem',
      cell: ({ customsOfficeOfFirstEntry: code }) => code && <Office code={code} />,
    },
    { heading: text.state, width: 'minmax(10rem, 1fr)', cell: ({ state }) => text[state] },
    {
      heading: text.current,
      width: 'minmax(10rem, 1fr)',
      cell: (one) => <DecisionText decision={one} />,
    },
  ];
  return (
    <VirtualTable label={text.label} columns={columns} rows={consignments} keyOf={({ id }) => id} />
  );
}
