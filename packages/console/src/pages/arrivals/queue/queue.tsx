// The queue of officers: everything that waits for a decision, to look through, select and decide in place.
import { Paragraph } from '@digdir/designsystemet-react';
import type { UndecidedArrival } from '@landfall/client';
import { Suspense, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useKeys } from '../../../keys/use-keys.js';
import { useMessages } from '../../../language/language-context.js';
import { lazyPart } from '../../../layout/lazy-part.js';
import { ListWithPanel } from '../../../layout/list-with-panel.js';
import { isNoOffice } from '../../../names/customs-office.js';
import { useSession, useSessionState } from '../../../session/session-context.js';
import { Empty, Failed, Loading, Notice } from '../../../states/states.js';
import type { Queue } from './compare-queues.js';
import { DecideDialog } from './decide-dialog.js';
import { DecidedNotice } from './decided-notice.js';
import { messages } from './messages.js';
import { QueueBar } from './queue-bar.js';
import type { Decided } from './queue-decision.js';
import { arrange, isFiltered, type QueueView, readView, SORTS, writeView } from './queue-filter.js';
import { QueueFilters } from './queue-filters.js';
import { QueueTable } from './queue-table.js';
import { type Selection, selectRange, toggle } from './selection.js';
import { useQueue } from './use-queue.js';
import { useServiceTime } from './use-service-time.js';

/** Loaded when it is opened: the list does not wait for it. */
const QueuePanel = lazyPart(async () => ({
  default: (await import('./queue-panel.js')).QueuePanel,
}));

type RoutingChoice = 'TO_CONTROL' | 'TO_ENTRY';

export function WaitingQueue() {
  const text = useMessages(messages);
  const [address, setAddress] = useSearchParams();
  const view = readView(address);
  const office = view.office.trim().toUpperCase();
  const queue = useQueue(office === '' || isNoOffice(office) ? undefined : office);
  const change = (changed: Partial<QueueView>) =>
    setAddress(
      (before) => {
        const open = before.get('open');
        const next = writeView({ ...readView(before), ...changed });
        return open === null ? next : { ...next, open };
      },
      { replace: true },
    );
  const { read, shown } = queue;
  return (
    <>
      <QueueFilters view={view} onChange={change} />
      {shown === undefined ? (
        read.isError ? (
          <Failed error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <Loading />
        )
      ) : shown.arrivals.length === 0 && queue.changes.added === 0 ? (
        <Empty title={text.none} />
      ) : (
        <Waiting queue={queue} shown={shown} view={view} onChange={change} />
      )}
    </>
  );
}

function Waiting({
  queue: { read, changes, showNow },
  shown,
  view,
  onChange,
}: {
  queue: ReturnType<typeof useQueue>;
  shown: Queue;
  view: QueueView;
  onChange: (changed: Partial<QueueView>) => void;
}) {
  const text = useMessages(messages);
  const { timeZone } = useSessionState().configuration;
  const mayDecide = useSession().scopes.includes('authority/routing');
  const now = useServiceTime();
  const [address, setAddress] = useSearchParams();
  const open = address.get('open') ?? undefined;
  const [marked, setMarked] = useState<string>();
  // Also when a link has opened it: after it is closed, keys act on the same goods.
  if (open !== undefined && open !== marked) setMarked(open);
  const [selected, setSelected] = useState<Selection>(new Set());
  const [asked, setAsked] = useState<{
    routing: RoutingChoice;
    targets: readonly UndecidedArrival[];
  }>();
  const [decided, setDecided] = useState<Decided>();

  const viewKey = JSON.stringify(writeView(view));
  // Another view has another key.
  const rows = useMemo(() => arrange(shown.arrivals, view, timeZone), [shown, viewKey, timeZone]);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { left } = changes;
  // What is open is what keys act on.
  const current = open ?? marked;
  const index = current === undefined ? -1 : ids.indexOf(current);
  // Nothing is decided that is not seen, or that waits no more.
  const targets = rows.filter(({ id }) => selected.has(id) && !left.has(id));
  const waiting = rows.filter(({ id }) => !left.has(id));
  const atCurrent = rows.filter(({ id }) => id === current && !left.has(id));

  const addressOf = (id: string | undefined) => ({
    ...writeView(view),
    ...(id !== undefined && { open: id }),
  });
  const show = (id: string | undefined, replace = false) => {
    setAddress(addressOf(id), { replace });
  };
  const goTo = (position: number) => {
    const id = ids[position];
    if (id === undefined) return;
    if (open === undefined) setMarked(id);
    else show(id, true);
  };
  const select = (id: string, isRange: boolean) => {
    setSelected((before) => (isRange ? selectRange(before, ids, marked, id) : toggle(before, id)));
    setMarked(id);
  };
  const ask = (routing: RoutingChoice) => {
    const chosen = targets.length > 0 ? targets : atCurrent;
    if (mayDecide && chosen.length > 0) setAsked({ routing, targets: chosen });
  };
  const extendTo = (position: number) => {
    const id = ids[position];
    if (id === undefined || !mayDecide) return;
    setSelected((before) => selectRange(before, ids, current, id));
    goTo(position);
  };
  useKeys({
    j: () => goTo(index + 1),
    k: () => goTo(index === -1 ? 0 : index - 1),
    J: () => extendTo(index + 1),
    K: () => extendTo(index - 1),
    x: () => {
      if (mayDecide && current !== undefined && index !== -1) select(current, false);
    },
    c: () => ask('TO_CONTROL'),
    e: () => ask('TO_ENTRY'),
    n: showNow,
    Enter: () => {
      if (index !== -1) show(current);
    },
    Escape: () => {
      if (open !== undefined) show(undefined);
    },
  });

  const readAgain = async () => void (await read.refetch());
  const finish = (last: Decided) => {
    setDecided(last);
    setAsked(undefined);
    if (last.kind === 'run') setSelected(new Set());
    else {
      setSelected((before) => new Set([...before].filter((id) => id !== last.arrival.id)));
      // The next one that waits, so that the work goes on.
      const next = ids.findIndex((id, at) => at > index && !left.has(id));
      if (index !== -1 && next !== -1) goTo(next);
    }
    void read.refetch();
  };
  const sorting = {
    by: view.sort,
    isDescending: view.isDescending,
    onSort: (by: string) => {
      const sort = SORTS.find((one) => one === by) ?? 'waited';
      onChange({ sort, isDescending: sort === view.sort && !view.isDescending });
    },
  };
  return (
    <>
      {shown.isMore && (
        <Notice color="warning" title={text.moreTitle} text={text.more(shown.arrivals.length)} />
      )}
      {read.isError && <Failed error={read.error} onRetry={() => void read.refetch()} />}
      {decided !== undefined && (
        <DecidedNotice decided={decided} onProgress={() => void read.refetch()} />
      )}
      <Counts shown={shown} matching={rows.length} left={left} isFiltered={isFiltered(view)} />
      <QueueBar
        waiting={waiting.length}
        selected={targets.length}
        mayDecide={mayDecide}
        canDecide={targets.length > 0 || atCurrent.length > 0}
        changes={changes}
        onSelectAll={() => setSelected(new Set(waiting.map(({ id }) => id)))}
        onClear={() => setSelected(new Set())}
        onDecide={ask}
        onShowNow={showNow}
      />
      <ListWithPanel
        isOpen={open !== undefined}
        panel={
          open !== undefined && (
            <Suspense fallback={<Loading />}>
              <QueuePanel
                key={open}
                id={open}
                onPrevious={index > 0 ? () => goTo(index - 1) : undefined}
                onNext={index < ids.length - 1 ? () => goTo(index + 1) : undefined}
                onClose={() => show(undefined)}
                onDecided={readAgain}
              />
            </Suspense>
          )
        }
      >
        {rows.length === 0 ? (
          <Empty title={text.noMatch}>
            {shown.isMore && (
              <>
                <Paragraph>{text.notListed}</Paragraph>
                <Link href={`/search?id=${encodeURIComponent(view.document)}`} className="ds-link">
                  {text.toSearch}
                </Link>
              </>
            )}
          </Empty>
        ) : (
          <QueueTable
            rows={rows}
            total={rows.length}
            current={current}
            selection={selected}
            left={left}
            now={now}
            sorting={sorting}
            isNarrow={open !== undefined}
            maySelect={mayDecide}
            addressOf={(id) => `/arrivals?${new URLSearchParams(addressOf(id))}`}
            onSelect={select}
          />
        )}
      </ListWithPanel>
      <Link href="/keys" className="ds-link">
        {text.keys}
      </Link>
      {asked !== undefined && (
        <DecideDialog
          routing={asked.routing}
          targets={asked.targets.filter(({ id }) => !left.has(id))}
          onDecided={finish}
          onChanged={readAgain}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

/** How many wait, and how many of them the filters leave. */
function Counts({
  shown,
  matching,
  left,
  isFiltered: isPart,
}: {
  shown: Queue;
  matching: number;
  left: ReadonlySet<string>;
  isFiltered: boolean;
}) {
  const text = useMessages(messages);
  const count = shown.arrivals.length - left.size;
  const all = shown.isMore ? text.waitAtLeast(count) : text.wait(count);
  const part = shown.isMore ? text.matchListed(matching, count, all) : text.match(matching, all);
  return <Paragraph role="status">{isPart ? part : all}</Paragraph>;
}
