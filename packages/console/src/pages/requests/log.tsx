// The rows of the log of requests with their filters, and one of them beside the list.
import { Button, Paragraph, ToggleGroup } from '@digdir/designsystemet-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { CodeBlock } from '../../code/code-block.js';
import { FeedNotice, LiveTag } from '../../feeds/feed-state.js';
import { useFeeds } from '../../feeds/feeds-context.js';
import { HeldList, PauseButton, usePausableFeed } from '../../feeds/pause.js';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { ListWithPanel, Panel } from '../../layout/list-with-panel.js';
import { callerOptions } from '../../playground/command-line.js';
import { clearRequests, listRequests, playground } from '../../playground/control.js';
import { type Exchange, exchangeId, hasText } from '../../playground/exchange.js';
import { usePollInterval } from '../../session/presence.js';
import { isPresenter } from '../../session/scopes.js';
import { useSession, useSessionState } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { LogFilters } from './log-filters.js';
import { LogTable } from './log-table.js';
import { messages } from './messages.js';
import { filterLog, type LogRow, type LogView, makeLog, readLogView } from './request-log.js';
import styles from './requests.module.css';

/** Nobody reads one before the list is there. */
const RequestDetails = lazyPart(async () => ({
  default: (await import('./request-details.js')).RequestDetails,
}));

const POLL_INTERVAL_MS = 2_000;

const QUERY_KEY = ['requests'];

const NOTHING_RECORDED: readonly Exchange[] = [];

export function Log() {
  const text = useMessages(messages);
  const session = useSession();
  const { signIn, timeZone } = useSessionState().configuration;
  const isPlayground = signIn === 'identity';
  const presents = isPresenter(session);
  const [search, setSearch] = useSearchParams();
  const { statuses: feed } = useFeeds();
  const pausable = usePausableFeed(feed, presents);
  const { view: statuses } = pausable;
  const recorded = useQuery({
    queryKey: QUERY_KEY,
    enabled: isPlayground,
    queryFn: async () => (await playground.call(listRequests, {})).requests,
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  const exchanges = useHeld(recorded.data ?? NOTHING_RECORDED, pausable.isPaused);
  const all = useMemo(
    () => makeLog(statuses.entries, exchanges, session.organisation),
    [statuses.entries, exchanges, session.organisation],
  );
  const onlyPresentations = search.get('show') === 'presentations';
  const kind = useMemo(
    () => (onlyPresentations ? all.filter(({ level }) => level !== undefined) : all),
    [all, onlyPresentations],
  );
  const view = readLogView(search);
  const rows = useMemo(() => filterLog(kind, view, timeZone, rowHasText), [kind, search, timeZone]);
  const shown = search.get('request');
  const change = (changed: Partial<LogView> & { show?: string; request?: string | undefined }) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changed)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    setSearch(next, { replace: !('request' in changed) });
  };
  const isReading =
    (presents && statuses.state === 'reading') || (isPlayground && recorded.isPending);
  const hasFailed = (presents && statuses.state === 'failed') || recorded.isError;
  const current = all.find(
    ({ key, exchanges: own }) => key === shown || own.some((one) => exchangeId(one) === shown),
  );
  const index = current === undefined ? -1 : rows.indexOf(current);
  const goTo = (to: number) => {
    const row = rows[to];
    return index === -1 || row === undefined ? undefined : () => change({ request: row.key });
  };
  const isNothing = all.length === 0 && !isReading && !hasFailed;
  return (
    <>
      {!isNothing && (
        <>
          <LogFilters view={view} rows={kind} hasIdentities={isPlayground} onChange={change} />
          <div className={styles.bar}>
            {isPlayground && (
              <ToggleGroup
                data-size="sm"
                aria-label={text.show}
                value={onlyPresentations ? 'presentations' : 'all'}
                onChange={(show) => change({ show: show === 'all' ? '' : show })}
              >
                <ToggleGroup.Item value="all">{text.everything}</ToggleGroup.Item>
                <ToggleGroup.Item value="presentations">{text.presentations}</ToggleGroup.Item>
              </ToggleGroup>
            )}
            {presents && <PauseButton pausable={pausable} />}
            {presents && <LiveTag view={statuses} />}
            <Paragraph role="status" data-size="sm">
              {text.count(rows.length, kind.length)}
            </Paragraph>
            {isPlayground && <Forget count={exchanges.length} />}
          </div>
        </>
      )}
      {presents && <FeedNotice view={statuses} older={text.older} onRetry={() => feed.start()} />}
      {recorded.isError && (
        <Failed error={recorded.error} onRetry={() => void recorded.refetch()} />
      )}
      <ListWithPanel
        isOpen={shown !== null}
        panel={
          shown !== null &&
          (current !== undefined || !isReading) && (
            <Drawer
              key={current?.key ?? shown}
              row={current}
              onNewer={goTo(index - 1)}
              onOlder={goTo(index + 1)}
              onClose={() => change({ request: undefined })}
            />
          )
        }
      >
        {rows.length > 0 ? (
          <HeldList pausable={pausable}>
            <LogTable rows={rows} current={current?.key} search={search} />
          </HeldList>
        ) : isReading ? (
          <Loading />
        ) : isNothing ? (
          <Nothing />
        ) : hasFailed ? null : (
          <Empty title={text.noMatch} />
        )}
      </ListWithPanel>
    </>
  );
}

/** What it was when the list was paused. */
function useHeld<Value>(value: Value, isHeld: boolean): Value {
  const held = useRef(value);
  if (!isHeld) held.current = value;
  return held.current;
}

/** Whether a row has a text in anything that is known of it. */
function rowHasText(row: LogRow, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const { status, requestId = '' } = row;
  const known = `${requestId} ${status === undefined ? '' : JSON.stringify(status)}`;
  return (
    known.toLowerCase().includes(wanted) ||
    row.exchanges.some((exchange) => hasText(exchange, text))
  );
}

function Nothing() {
  const text = useMessages(messages);
  const { name } = useSession();
  const presents = isPresenter(useSession());
  const { signIn, dataFolder } = useSessionState().configuration;
  return (
    <Empty title={text.empty}>
      <Paragraph>{text.emptyText}</Paragraph>
      {signIn === 'identity' && (
        <CodeBlock
          label={text.emptyText}
          text={`npx landfall routing list ${callerOptions({ identity: name, dataFolder })}`}
        />
      )}
      {presents && (
        <Link href="/present" className="ds-link">
          {text.present}
        </Link>
      )}
    </Empty>
  );
}

/** Forgets what was recorded, after a question. */
function Forget({ count }: { count: number }) {
  const text = useMessages(messages);
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const clear = useMutation({
    networkMode: 'always',
    mutationFn: () => playground.call(clearRequests, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: QUERY_KEY }),
  });
  return (
    <>
      <Button
        variant="secondary"
        data-size="sm"
        className={styles.end}
        disabled={count === 0}
        onClick={() => setAsking(true)}
      >
        {text.clear}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={text.clearQuestion(count)}
          action={text.clear}
          isDanger
          onConfirm={() => {
            setAsking(false);
            clear.mutate();
          }}
          onCancel={() => setAsking(false)}
        >
          <Paragraph>{text.clearText}</Paragraph>
        </ConfirmDialog>
      )}
      {clear.isError && <Failed error={clear.error} />}
    </>
  );
}

/** One request beside the list. */
function Drawer({
  row,
  onNewer,
  onOlder,
  onClose,
}: {
  row: LogRow | undefined;
  onNewer: (() => void) | undefined;
  onOlder: (() => void) | undefined;
  onClose: () => void;
}) {
  const text = useMessages(messages);
  const { method = '', url = '' } = row?.exchanges.at(-1) ?? {};
  return (
    <Panel
      title={
        <>
          {text.request}{' '}
          <Identifier>{row === undefined ? '' : (row.requestId ?? `${method} ${url}`)}</Identifier>
        </>
      }
      close={{ name: text.close, go: onClose }}
      previous={{ name: text.newer, go: onNewer }}
      next={{ name: text.olderOne, go: onOlder }}
    >
      <Suspense fallback={<Loading />}>
        {row === undefined ? <Empty title={text.gone} /> : <RequestDetails row={row} />}
      </Suspense>
      {row?.status !== undefined && (
        <Link href={`/presentations/${row.status.requestId}`} className="ds-link">
          {text.page}
        </Link>
      )}
    </Panel>
  );
}
