// A page that shows the entries of a followed feed, newest first, all of them or only those of one kind.
import { Paragraph, ToggleGroup } from '@digdir/designsystemet-react';
import { type ReactNode, useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Page } from '../layout/page.js';
import { Empty, Loading } from '../states/states.js';
import styles from './feed-page.module.css';
import { FeedNotice, LiveTag } from './feed-state.js';
import { type FollowedFeed, hasEverything } from './followed-feed.js';
import { HeldList, PauseButton, usePausableFeed } from './pause.js';

/** The texts of a page of a feed. */
type FeedPageText = {
  lead: string;
  /** What the choice between all entries and those of one kind is about. */
  filter: string;
  all: string;
  empty: string;
  emptyText: string;
  /** Where entries are that are too old to be shown. */
  older: string;
  present: string;
};

/** The kind of entries that can be shown alone. The address of the page has its name: `?show=control`. */
type Kind<Entry> = { name: string; label: string; includes: (entry: Entry) => boolean };

type Props<Entry> = {
  title: string;
  text: FeedPageText;
  feed: FollowedFeed<Entry>;
  kind: Kind<Entry>;
  /**
   * Is shown beside the choice if there are entries: how many of so many are of the kind, and whether these are all that
   * there are.
   */
  summary?: (count: number, of: number, isEverything: boolean) => string;
  table: (rows: readonly Entry[]) => ReactNode;
};

export function FeedPage<Entry>({ title, text, feed, kind, summary, table }: Props<Entry>) {
  const pausable = usePausableFeed(feed);
  const { view } = pausable;
  const [search, setSearch] = useSearchParams();
  const { name, label, includes } = kind;
  const onlyKind = search.get('show') === name;
  const rows = useMemo(
    () => view.entries.filter((entry) => !onlyKind || includes(entry)).toReversed(),
    [view.entries, onlyKind, includes],
  );
  return (
    <Page title={title} lead={text.lead} wide>
      <div className={styles.bar}>
        <ToggleGroup
          data-size="sm"
          aria-label={text.filter}
          value={onlyKind ? name : 'all'}
          onChange={(show) => setSearch(show === name ? { show } : {}, { replace: true })}
        >
          <ToggleGroup.Item value="all">{text.all}</ToggleGroup.Item>
          <ToggleGroup.Item value={name}>{label}</ToggleGroup.Item>
        </ToggleGroup>
        <PauseButton pausable={pausable} />
        <LiveTag view={view} />
        {summary !== undefined && view.entries.length > 0 && (
          <Paragraph data-size="sm">
            {summary(
              view.entries.filter(includes).length,
              view.entries.length,
              hasEverything(view),
            )}
          </Paragraph>
        )}
      </div>
      <FeedNotice view={view} older={text.older} onRetry={() => feed.start()} />
      {rows.length > 0 ? (
        <HeldList pausable={pausable}>{table(rows)}</HeldList>
      ) : view.state === 'reading' ? (
        <Loading />
      ) : view.isComplete ? (
        <Empty title={text.empty}>
          <Paragraph>{text.emptyText}</Paragraph>
          <Link href="/present" className="ds-link">
            {text.present}
          </Link>
        </Empty>
      ) : null}
    </Page>
  );
}
