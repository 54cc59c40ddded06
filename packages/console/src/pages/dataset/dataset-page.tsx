// The goods of a playground as a tree: declaration, master document, receptacle or container, house consignment.
import { Button, Paragraph, ToggleGroup } from '@digdir/designsystemet-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { type DatasetQuery, listDataset } from '../../playground/dataset.js';
import { usePollInterval } from '../../session/presence.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import styles from './dataset.module.css';
import { DatasetEntry, keyOf } from './dataset-entry.js';
import { messages } from './messages.js';

/** How often an open branch is read again: what has become of the goods changes. */
const POLL_INTERVAL_MS = 5_000;

export function DatasetPage() {
  const text = useMessages(messages);
  const { dataset: title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  const isFiltered = search.get('presented') === 'false';
  const change = (changed: Record<string, string | undefined>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changed)) {
          if (value === undefined) after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
  return (
    <Page title={title} lead={text.lead}>
      <ToggleGroup
        data-size="sm"
        aria-label={text.filter}
        value={isFiltered ? 'false' : 'all'}
        onChange={(value) => change({ presented: value === 'false' ? value : undefined })}
      >
        <ToggleGroup.Item value="all">{text.all}</ToggleGroup.Item>
        <ToggleGroup.Item value="false">{text.notPresented}</ToggleGroup.Item>
      </ToggleGroup>
      <Branch
        key={String(isFiltered)}
        query={{
          level: 'ENTRY_SUMMARY_DECLARATION',
          ...(isFiltered && { presented: 'false' }),
        }}
        open={search.get('open')}
        onOpen={(open) => change({ open })}
      />
    </Page>
  );
}

/** What is directly below an entry at one level. `open` is the entry of the first level that the address opens. */
function Branch({
  query,
  open = null,
  onOpen = () => undefined,
}: {
  query: DatasetQuery;
  open?: string | null;
  onOpen?: (key: string | undefined) => void;
}) {
  const text = useMessages(messages);
  const read = useInfiniteQuery({
    queryKey: ['dataset', query],
    queryFn: ({ pageParam }) => listDataset(query, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  if (read.data === undefined) {
    return read.isError ? (
      <Failed error={read.error} onRetry={() => void read.refetch()} />
    ) : (
      <Loading />
    );
  }
  const entries = read.data.pages.flatMap((page) => page.entries);
  const isTop = query.level === 'ENTRY_SUMMARY_DECLARATION';
  if (entries.length === 0) {
    return isTop ? (
      <Empty title={text.empty}>
        <Paragraph>{text.emptyText}</Paragraph>
      </Empty>
    ) : null;
  }
  return (
    <>
      <ul className={styles.entries} aria-label={isTop ? text.label : undefined}>
        {entries.map((entry) => (
          <DatasetEntry
            key={keyOf(entry)}
            entry={entry}
            query={query}
            isOpenAtFirst={open === keyOf(entry)}
            onToggle={(isOpen) => onOpen(isOpen ? keyOf(entry) : undefined)}
            renderBranch={(branch) => <Branch key={JSON.stringify(branch)} query={branch} />}
          />
        ))}
      </ul>
      {read.hasNextPage && (
        <Button
          variant="secondary"
          data-size="sm"
          className={styles.more}
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
    </>
  );
}
