// The organisations that have a view, and the way to that of another one.
import { Button, Paragraph, Textfield } from '@digdir/designsystemet-react';
import type { ListGoodsItemViewsQuery, StoredGoodsItemView } from '@landfall/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Organisation } from '../../names/organisation.js';
import { useLandfall } from '../../session/session-context.js';
import { Empty, Failed, Loading, Notice } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import styles from './goods-item-views.module.css';
import { messages } from './messages.js';
import { ViewText } from './view-text.js';

/** How many are read at once. */
const PAGE = 200;

export const LIST_KEY = ['goods-item-views'];

/** @param props `removed`: the organisation whose view was just removed */
export function ViewList({ removed }: { removed: string | undefined }) {
  const text = useMessages(messages);
  return (
    <>
      {removed !== undefined && (
        <Notice color="success" title={text.removed} text={text.removedText(removed)} />
      )}
      <Find />
      <Views />
    </>
  );
}

function Find() {
  const text = useMessages(messages);
  const [, setSearch] = useSearchParams();
  const [organisation, setOrganisation] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (organisation.trim() !== '') setSearch({ organisation: organisation.trim() });
  };
  return (
    <form className={styles.bar} onSubmit={submit}>
      <Textfield
        className={IDENTIFIER_FIELD}
        label={text.organisation}
        description={text.organisationHelp}
        value={organisation}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setOrganisation(target.value)}
      />
      <Button type="submit" variant="secondary">
        {text.open}
      </Button>
    </form>
  );
}

function Views() {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useInfiniteQuery({
    queryKey: LIST_KEY,
    queryFn: ({ pageParam, signal }) =>
      landfall.listGoodsItemViews({ limit: PAGE, ...pageParam }, { signal }),
    // Safe cast: the first page begins after nothing.
    initialPageParam: {} as ListGoodsItemViewsQuery,
    getNextPageParam: ({ next }) => next,
  });
  if (read.data === undefined) {
    return read.isError ? (
      <Failed error={read.error} onRetry={() => void read.refetch()} />
    ) : (
      <Loading />
    );
  }
  const rows = read.data.pages.flatMap(({ entries }) => entries);
  const columns: readonly Column<StoredGoodsItemView>[] = [
    {
      heading: text.organisation,
      width: 'minmax(12rem, 1fr)',
      cell: ({ organisation }) => (
        <Link
          className="ds-link"
          href={`/goods-item-views?organisation=${encodeURIComponent(organisation)}`}
        >
          <Organisation id={organisation} />
        </Link>
      ),
    },
    {
      heading: text.sees,
      width: 'minmax(14rem, 2fr)',
      cell: ({ view }) => <ViewText view={view} />,
    },
    {
      heading: text.changedAt,
      width: 'minmax(10rem, 1fr)',
      cell: ({ changedAt }) => <OfficeTime at={changedAt} />,
    },
  ];
  if (rows.length === 0) {
    return (
      <Empty title={text.none}>
        <Paragraph>{text.noneText}</Paragraph>
      </Empty>
    );
  }
  return (
    <>
      <VirtualTable
        label={text.label}
        columns={columns}
        rows={rows}
        keyOf={({ organisation }) => organisation}
      />
      {read.isError && <Failed error={read.error} />}
      {read.hasNextPage && (
        <Button
          variant="secondary"
          className={styles.start}
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
    </>
  );
}
