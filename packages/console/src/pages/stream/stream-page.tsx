// The stream of goods-item events, live, with filters; one event with its message; and the check of messages.
import {
  Button,
  Field,
  Label,
  Paragraph,
  Select,
  Textfield,
  ToggleGroup,
} from '@digdir/designsystemet-react';
import { followGoodsItemTexts } from '@landfall/client';
import { Suspense, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { saveCsv, saveLines } from '../../download/save-file.js';
import { FeedNotice, LiveTag } from '../../feeds/feed-state.js';
import { watched } from '../../feeds/feeds-context.js';
import { FollowedFeed, hasEverything } from '../../feeds/followed-feed.js';
import { HeldList, PauseButton, usePausableFeed } from '../../feeds/pause.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { useLandfall, useSession, useSessionState } from '../../session/session-context.js';
import { Empty, Loading } from '../../states/states.js';
import { fromOfficeTime } from '../../time/office-date-time.js';
import { CheckView } from './check-view.js';
import { EventTable } from './event-table.js';
import { messages } from './messages.js';
import { RelayState } from './relay-state.js';
import styles from './stream.module.css';
import { isShown, readEvent, readFilter, type StreamEvent } from './stream-event.js';
import { eventsAsCsv, sumAdded } from './sum-events.js';

// The rules of messages are larger than the rest of this page, and its list needs none of them.
const EventView = lazyPart(async () => ({ default: (await import('./event-view.js')).EventView }));
const CurrentItems = lazyPart(async () => ({
  default: (await import('./event-view.js')).CurrentItems,
}));

/** A whole declaration identifier, which the service finds. */
const WHOLE_DECLARATION = /^\d{9}-\d{8}-.+-\d{2}$/;

const TYPES = ['ITEM_ADDED', 'ITEM_REMOVED', 'ITEM_ADDED_NO_HISTORY'] as const;
const DIRECTIONS = ['I', 'O'] as const;
const FROM = ['now', 'time', 'start'] as const;

export function StreamPage() {
  const text = useMessages(messages);
  const { stream: title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  const { scopes } = useSession();
  const { timeZone } = useSessionState().configuration;
  const from = FROM.find((name) => name === search.get('from')) ?? 'now';
  const fromStart = from === 'start';
  const fromTime = from === 'time' ? fromOfficeTime(search.get('at') ?? '', timeZone) : undefined;
  const shownId = search.get('event');
  const { shown, findIn } = useShownEvent(shownId);
  const feed = useStream(fromStart ? 'start' : fromTime, findIn);
  const pausable = usePausableFeed(feed);
  const { view } = pausable;
  useEffect(() => {
    if (shownId !== null) findIn(view.entries);
  }, [findIn, view.entries, shownId]);
  const filter = useMemo(() => readFilter(search, timeZone), [search, timeZone]);
  const rows = useMemo(
    () => view.entries.filter((event) => isShown(event, filter)).toReversed(),
    [view.entries, filter],
  );
  const isEverything = fromStart && hasEverything(view);
  const checking = new URLSearchParams(search);
  checking.set('view', 'check');
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
      {search.get('view') === 'check' ? (
        <CheckView onBack={() => set('view', '')} />
      ) : shownId !== null ? (
        <Suspense fallback={<Loading />}>
          <EventView
            event={shown ?? view.entries.find(({ id }) => id === shownId)}
            events={view.entries}
            isEverything={isEverything}
            isReading={view.state === 'reading'}
            onBack={() => set('event', '')}
          />
        </Suspense>
      ) : (
        <>
          <div className={styles.bar}>
            <ToggleGroup
              data-size="sm"
              className={styles.from}
              aria-label={text.from}
              value={from}
              onChange={(chosen) => set('from', chosen === 'now' ? '' : chosen)}
            >
              <ToggleGroup.Item value="now">{text.fromNow}</ToggleGroup.Item>
              <ToggleGroup.Item value="time">{text.fromTime}</ToggleGroup.Item>
              <ToggleGroup.Item value="start">{text.fromStart}</ToggleGroup.Item>
            </ToggleGroup>
            {from === 'time' && (
              <Textfield
                data-size="sm"
                type="datetime-local"
                label={`${text.publishedFrom} (${timeZone})`}
                value={search.get('at') ?? ''}
                onChange={({ target: { value } }) => set('at', value)}
              />
            )}
            <PauseButton pausable={pausable} />
            <LiveTag view={view} />
            <Button asChild variant="secondary" data-size="sm">
              <Link href={`/stream?${checking}`}>{text.check}</Link>
            </Button>
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
              className={IDENTIFIER_FIELD}
              label={text.filterDeclaration}
              value={search.get('declaration') ?? ''}
              onChange={({ target: { value } }) => set('declaration', value)}
            />
            <Textfield
              data-size="sm"
              inputMode="numeric"
              label={text.filterCommodity}
              value={search.get('commodity') ?? ''}
              maxLength={12}
              onChange={({ target: { value } }) => set('commodity', value)}
            />
            {(['since', 'until'] as const).map((name) => (
              <Textfield
                key={name}
                data-size="sm"
                type="datetime-local"
                label={`${name === 'since' ? text.filterSince : text.filterUntil} (${timeZone})`}
                value={search.get(name) ?? ''}
                onChange={({ target: { value } }) => set(name, value)}
              />
            ))}
          </div>
          <FeedNotice view={view} older={text.older} onRetry={() => feed.start()} />
          {rows.length > 0 ? (
            <HeldList pausable={pausable}>
              <EventTable rows={rows} />
            </HeldList>
          ) : view.state === 'reading' ? (
            <Loading />
          ) : view.entries.length > 0 ? (
            <Empty title={isEverything ? text.noMatch : text.noneOfThese(view.entries.length)}>
              <Paragraph>{isEverything ? text.noMatchText : text.noneOfTheseText}</Paragraph>
            </Empty>
          ) : view.isComplete ? (
            <Empty title={text.empty}>
              <Paragraph>
                {fromTime !== undefined
                  ? text.emptyTime
                  : fromStart
                    ? text.emptyStart
                    : text.emptyNow}
              </Paragraph>
            </Empty>
          ) : null}
          {view.entries.length > 0 && (
            <Paragraph data-size="sm">
              {text.matching(rows.length, view.entries.length, isEverything)}
            </Paragraph>
          )}
          {rows.length > 0 && <Totals rows={rows} isEverything={isEverything} />}
          {WHOLE_DECLARATION.test(filter.declaration ?? '') && (
            <Suspense fallback={<Loading />}>
              <CurrentItems declaration={filter.declaration ?? ''} />
            </Suspense>
          )}
          {scopes.includes('authority/operations') && <RelayState />}
        </>
      )}
    </Page>
  );
}

/** The sums of what is shown, and its downloads. */
function Totals({ rows, isEverything }: { rows: readonly StreamEvent[]; isEverything: boolean }) {
  const text = useMessages(messages);
  const { count } = useNumbers();
  const sums = useMemo(() => sumAdded(rows), [rows]);
  // As they are in the stream: the list has the newest first.
  const inOrder = () => rows.toReversed();
  return (
    <>
      <Paragraph data-size="sm">
        {text.sums(
          count(sums.added),
          count(sums.grossMass),
          count(sums.netMass),
          count(sums.value),
        )}
      </Paragraph>
      <div className={styles.bar}>
        <Button
          variant="secondary"
          data-size="sm"
          onClick={() => saveCsv(eventsAsCsv(inOrder()), 'goods-items.csv')}
        >
          {text.downloadCsv}
        </Button>
        <Button
          variant="secondary"
          data-size="sm"
          onClick={() =>
            saveLines(
              inOrder().map((event) => event.text),
              'goods-items.ndjson',
            )
          }
        >
          {text.downloadLines}
        </Button>
        <Paragraph data-size="sm">{text.downloaded(rows.length, isEverything)}</Paragraph>
      </div>
    </>
  );
}

/** The event with an id, as soon as `findIn` has found it. It is kept when newer events drop it from the list. */
function useShownEvent(id: string | null) {
  const [found, setFound] = useState<StreamEvent>();
  const wanted = useRef(id);
  useEffect(() => {
    wanted.current = id;
  }, [id]);
  const findIn = useCallback((events: readonly StreamEvent[]) => {
    const event = events.find((one) => one.id === wanted.current);
    if (event !== undefined) setFound(event);
  }, []);
  return { shown: found?.id === id ? found : undefined, findIn };
}

/**
 * The stream until the page is left.
 *
 * @param from `start`: its oldest event; or a time in ISO 8601; default: now
 */
function useStream(
  from: string | undefined,
  onEntries: (events: readonly StreamEvent[]) => void,
): FollowedFeed<StreamEvent> {
  const landfall = useLandfall();
  const feed = useMemo(
    () =>
      new FollowedFeed<StreamEvent>(
        async function* ({ signal, onStateChange }) {
          // The current items have the marker of the end of the stream.
          const end =
            from === undefined
              ? (await landfall.listCurrentGoodsItems({ limit: 1 }, { signal })).marker
              : undefined;
          const following = followGoodsItemTexts(landfall, {
            signal,
            marker: end,
            since: from === undefined || from === 'start' ? undefined : new Date(from),
            onStateChange: watched(onStateChange),
          });
          for await (const texts of following.pages()) yield texts.map(readEvent);
        },
        { onEntries, sizeOf: ({ text }) => text.length },
      ),
    [landfall, from, onEntries],
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
