// The stream of goods-item events, live, with filters; and one event with its message.
import {
  Field,
  Label,
  Paragraph,
  Select,
  Textfield,
  ToggleGroup,
} from '@digdir/designsystemet-react';
import { followGoodsItemTexts } from '@landfall/client';
import { useEffect, useId, useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import { FeedNotice, LiveTag } from '../../feeds/feed-state.js';
import { useFeed, watched } from '../../feeds/feeds-context.js';
import { FollowedFeed } from '../../feeds/followed-feed.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { useLandfall, useSession } from '../../session/session-context.js';
import { Empty, Loading } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { EventView } from './event-view.js';
import { messages } from './messages.js';
import { RelayState } from './relay-state.js';
import styles from './stream.module.css';
import { isShown, readEvent, readFilter, type StreamEvent } from './stream-event.js';

const TYPES = ['ITEM_ADDED', 'ITEM_REMOVED', 'ITEM_ADDED_NO_HISTORY'] as const;
const DIRECTIONS = ['I', 'O'] as const;

export function StreamPage() {
  const text = useMessages(messages);
  const { stream: title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  const { scopes } = useSession();
  const fromStart = search.get('from') === 'start';
  const feed = useStream(fromStart);
  const view = useFeed(feed);
  const filter = useMemo(() => readFilter(search), [search]);
  const rows = useMemo(
    () => view.entries.filter((event) => isShown(event, filter)).toReversed(),
    [view.entries, filter],
  );
  const shownId = search.get('event');
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const changed = new URLSearchParams(before);
        if (value === '') changed.delete(name);
        else changed.set(name, value);
        return changed;
      },
      { replace: true },
    );
  return (
    <Page title={title} lead={text.lead} wide>
      {shownId === null ? (
        <>
          <div className={styles.bar}>
            <ToggleGroup
              data-size="sm"
              aria-label={text.from}
              value={fromStart ? 'start' : 'now'}
              onChange={(from) => set('from', from === 'start' ? from : '')}
            >
              <ToggleGroup.Item value="now">{text.fromNow}</ToggleGroup.Item>
              <ToggleGroup.Item value="start">{text.fromStart}</ToggleGroup.Item>
            </ToggleGroup>
            <LiveTag view={view} />
          </div>
          <div className={styles.filters}>
            <Choice
              label={text.eventType}
              any={text.anyType}
              options={TYPES.map((type) => [type, text[type]])}
              value={filter.type}
              onChange={(type) => set('type', type)}
            />
            <Choice
              label={text.direction}
              any={text.anyDirection}
              options={DIRECTIONS.map((direction) => [direction, text[direction]])}
              value={filter.direction}
              onChange={(direction) => set('direction', direction)}
            />
            <Textfield
              data-size="sm"
              label={text.filterDeclaration}
              value={search.get('declaration') ?? ''}
              onChange={({ target: { value } }) => set('declaration', value)}
            />
          </div>
          <FeedNotice view={view} older={text.older} onRetry={() => feed.start()} />
          {rows.length > 0 ? (
            <EventTable rows={rows} />
          ) : view.state === 'reading' ? (
            <Loading />
          ) : view.entries.length > 0 ? (
            <Empty title={text.noMatch}>
              <Paragraph>{text.noMatchText}</Paragraph>
            </Empty>
          ) : (
            <Empty title={text.empty}>
              <Paragraph>{fromStart ? text.emptyStart : text.emptyNow}</Paragraph>
            </Empty>
          )}
          {view.entries.length > 0 && (
            <Paragraph data-size="sm">{text.matching(rows.length, view.entries.length)}</Paragraph>
          )}
          {scopes.includes('authority/operations') && <RelayState />}
        </>
      ) : (
        <EventView
          event={view.entries.find(({ id }) => id === shownId)}
          isReading={view.state === 'reading'}
          onBack={() => set('event', '')}
        />
      )}
    </Page>
  );
}

/** The stream from now on, or from its oldest event, until the page is left. */
function useStream(fromStart: boolean): FollowedFeed<StreamEvent> {
  const landfall = useLandfall();
  const feed = useMemo(
    () =>
      new FollowedFeed<StreamEvent>(async function* ({ signal, onStateChange }) {
        // The current items have the marker of the end of the stream.
        const end = fromStart
          ? undefined
          : (await landfall.listCurrentGoodsItems({ limit: 1 }, { signal })).marker;
        const following = followGoodsItemTexts(landfall, {
          signal,
          marker: end,
          onStateChange: watched(onStateChange),
        });
        for await (const texts of following.pages()) yield texts.map(readEvent);
      }),
    [landfall, fromStart],
  );
  useEffect(() => () => feed.close(), [feed]);
  return feed;
}

function Choice({
  label,
  any,
  options,
  value = '',
  onChange,
}: {
  label: string;
  any: string;
  options: readonly (readonly [string, string])[];
  value: string | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <Field data-size="sm">
      <Label htmlFor={id}>{label}</Label>
      <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <Select.Option value="">{any}</Select.Option>
        {options.map(([option, name]) => (
          <Select.Option key={option} value={option}>
            {name}
          </Select.Option>
        ))}
      </Select>
    </Field>
  );
}

function EventTable({ rows }: { rows: readonly StreamEvent[] }) {
  const text = useMessages(messages);
  const [search] = useSearchParams();
  const addressOf = (event: string) => {
    const address = new URLSearchParams(search);
    address.set('event', event);
    return `/stream?${address}`;
  };
  const columns: readonly Column<StreamEvent>[] = [
    {
      heading: text.eventType,
      width: 'minmax(7rem, 1fr)',
      cell: ({ id, type }) => (
        <Link href={addressOf(id)} className="ds-link">
          {text[type]}
        </Link>
      ),
    },
    {
      heading: text.declaration,
      width: 'minmax(14rem, 1.4fr)',
      cell: ({ item }) => item?.declaration ?? '–',
    },
    { heading: text.item, width: '5rem', cell: ({ item }) => item?.number ?? '–' },
    {
      heading: text.direction,
      width: '5rem',
      cell: ({ item }) => (item === undefined ? '–' : text[item.direction]),
    },
    { heading: text.commodity, width: '8.5rem', cell: ({ item }) => item?.commodity ?? '–' },
    {
      heading: text.created,
      width: '11.5rem',
      cell: ({ created }) => <OfficeTime at={created} />,
    },
  ];
  return <VirtualTable label={text.label} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
