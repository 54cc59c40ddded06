// The list of organisations, with a search in it.
import { Button, Paragraph, Tag, Textfield } from '@digdir/designsystemet-react';
import type { OrganisationSummary } from '@landfall/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { filterOrganisations } from './filter-organisations.js';
import { messages } from './messages.js';
import styles from './organisations.module.css';

/** How many pages of 1,000 organisations are read without a request. */
const MAX_PAGES = 20;

export function OrganisationList() {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [search, setSearch] = useSearchParams();
  const searched = search.get('search') ?? '';
  const list = useInfiniteQuery({
    queryKey: ['organisations'],
    queryFn: ({ pageParam, signal }) => landfall.listOrganisations(pageParam, { signal }),
    initialPageParam: {} as Parameters<typeof landfall.listOrganisations>[0],
    getNextPageParam: ({ next }) => next,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const isIncomplete = hasNextPage && (data?.pages.length ?? 0) < MAX_PAGES;
  useEffect(() => {
    if (isIncomplete && !isFetching && !isError) void fetchNextPage();
  }, [isIncomplete, isFetching, isError, fetchNextPage]);
  if (data === undefined) {
    return isError ? (
      <Failed error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <Loading />
    );
  }
  const organisations = data.pages.flatMap(({ entries }) => entries);
  const found = filterOrganisations(organisations, searched);
  return (
    <>
      <Textfield
        type="search"
        className={styles.field}
        label={text.search}
        value={searched}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target: { value } }) =>
          setSearch(value === '' ? {} : { search: value }, { replace: true })
        }
      />
      <div className={styles.row} role="status">
        <Paragraph>{text.count(found.length, organisations.length)}</Paragraph>
        {hasNextPage && isFetching && <Paragraph>{text.reading(organisations.length)}</Paragraph>}
        {hasNextPage && !isFetching && (
          <Button variant="secondary" data-size="sm" onClick={() => void fetchNextPage()}>
            {text.more}
          </Button>
        )}
      </div>
      {isError && <Failed error={list.error} onRetry={() => void fetchNextPage()} />}
      {found.length === 0 ? <Empty title={text.empty} /> : <Organisations rows={found} />}
    </>
  );
}

function Organisations({ rows }: { rows: readonly OrganisationSummary[] }) {
  const text = useMessages(messages);
  const columns: readonly Column<OrganisationSummary>[] = [
    {
      heading: text.name,
      width: 'minmax(12rem, 1.2fr)',
      cell: ({ id, name }) => (
        <Link className="ds-link" href={`/organisations?id=${encodeURIComponent(id)}`}>
          {name}
        </Link>
      ),
    },
    {
      heading: text.id,
      width: 'minmax(11rem, 1fr)',
      cell: ({ id }) => <Identifier>{id}</Identifier>,
    },
    {
      heading: text.scopes,
      width: 'minmax(14rem, 2fr)',
      cell: ({ grantedScopes }) => grantedScopes.join(', ') || text.none,
    },
    {
      heading: text.state,
      width: '7rem',
      cell: ({ blocked }) =>
        blocked ? <Tag data-color="danger">{text.blocked}</Tag> : text.active,
    },
  ];
  return (
    <VirtualTable
      label={text.label}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      emphasise={({ blocked }) => blocked}
    />
  );
}
