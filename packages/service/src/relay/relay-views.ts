// Relays what each view shows of the goods-item stream: a subject for each organisation with a view has what the organisation
// reads over HTTP.
//
// Each message names the view that shows it, by its version and its content. When a view has changed or was removed, the
// messages of its subject are removed, so that none is left that it does not grant, and all that the new one shows is relayed
// from the oldest message on that is kept: nobody knows what of them a reader has processed. Applied again, they have the same
// result.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type GoodsItemView, isUuid, relays } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { SESSION_LOCKS } from '../database/locks.js';
import { MarkerExpiredError } from '../feed/feed.js';
import { GrownFeeds } from '../feed/grown-feeds.js';
import { MAX_PAGE_BYTES } from '../feed/queries.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { type CompiledView, compileView } from '../goods-items/compile-view.js';
import { goodsItemEvents, STREAM_OWNER } from '../goods-items/event-feed.js';
import type { FoundMessages, GoodsItemReader } from '../goods-items/goods-item-reader.js';
import type { CurrentView } from '../goods-items/goods-item-views.js';
import { messageOf } from '../native-error.js';
import { ForeignMessageError, readLast } from './find-start.js';
import {
  type NewMessage,
  RefusedPurgeError,
  type RelayStream,
  type StoredMessage,
} from './jetstream.js';
import { forgetRelayedAfter, recordRelayed } from './queries.js';
import type { RelayTask, TaskContext } from './relay.js';
import type { StreamNames } from './relayed-feeds.js';
import { storeAll } from './store-all.js';
import {
  forgetViews,
  type RelayedViewRow,
  selectAnyView,
  selectMessagePositions,
  selectRelayedViews,
  selectStreamEnds,
  selectViewProgress,
} from './view-queries.js';

/** How many messages one turn relays at most; the views share them. */
const MAX_MESSAGES_PER_TURN = 1000;

/** How many views one turn reads. */
const MAX_VIEWS_PER_TURN = 100;

/** How long one turn searches, in milliseconds. What was found is stored, and views that have changed are seen after it. */
const MAX_SEARCH_MS = 500;

/** How often the end of the stream is compared with what was relayed, in milliseconds. */
const CHECK_INTERVAL_MS = 5000;

/** How often it is asked whether there is a view, while there is none, in milliseconds. */
const NEED_INTERVAL_MS = 1000;

/** The feed that all views are of. */
const feed = { kind: goodsItemEvents.number, owner: STREAM_OWNER };

/** What relaying views needs. */
type Parts = { database: Database; watch: FeedWatch; names: StreamNames; reader: GoodsItemReader };

/** Relays what views show. Without a view there is no stream. */
export function relayViews(parts: Parts): RelayTask {
  const { database, names } = parts;
  return {
    name: relays['goods-item-views'].entries,
    stream: names.stream,
    subjects: names.subjects,
    lock: SESSION_LOCKS.viewRelay,
    whenNeeded: async (signal) => {
      while (!signal.aborted) {
        const [any] = await database.query(selectAnyView);
        if (any?.exists) return;
        await delay(NEED_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      }
    },
    run: (context) => new ViewRelay(parts, context).run(),
    progress: async () => {
      const [row] = await database.query(selectViewProgress(names.stream));
      const { relayed, lag, behind } = row ?? { relayed: null, lag: 0, behind: null };
      return { relayed: relayed ?? 0, lag, ...(behind !== null && { behind }) };
    },
  };
}

/** A view, and up to where the stream was searched for it. */
type Relayed = { identifier: string; view: CurrentView; state: string; position: number };

/** Identifies a view. A database that was restored to an earlier time gives versions to other views again. */
function stateOf({ version, view }: RelayedViewRow): string {
  const digest = createHash('sha256').update(JSON.stringify(view)).digest('base64url');
  return `${version}.${digest.slice(0, 22)}`;
}

/** A view that is stored and cannot be applied. */
class UnusableViewError extends Error {
  override name = 'UnusableViewError';
}

function compile(view: GoodsItemView): CompiledView {
  try {
    return compileView(view);
  } catch (cause) {
    throw new UnusableViewError(`the view cannot be applied: ${messageOf(cause)}`, { cause });
  }
}

/** What was found for a view. */
type Found = FoundMessages & { relayed: Relayed };

function hasMore({ more }: Found): boolean {
  return more;
}

/** One course of relaying. */
class ViewRelay {
  readonly #parts: Parts;
  readonly #context: TaskContext;
  /** By organisation: the views whose messages the stream has. */
  readonly #relayed = new Map<number, Relayed>();
  /** The organisations of these; those whose turn was the longest ago are first. */
  readonly #turns: number[] = [];
  /** The organisations whose subjects have messages that no view of today shows. */
  readonly #outdated = new Set<string>();
  #sequence = 0;

  constructor(parts: Parts, context: TaskContext) {
    this.#parts = parts;
    this.#context = context;
  }

  async run(): Promise<void> {
    const { database, watch, names } = this.#parts;
    const { stream: target, begun, progressed, signal } = this.#context;
    const { sequence, messages } = await target.end();
    this.#sequence = sequence;
    // A subject that names nobody stands for itself.
    const readOwner = (subject: string) => names.readOwner(subject) ?? subject;
    if (messages > 0) await this.#resume(await readLast({ readOwner }, target, undefined));
    await target.claim();
    await this.#record(this.#relayed.values());
    begun(sequence, this.#relayed.size);
    await this.#followViews();
    await database.query(forgetRelayedAfter(names.stream, sequence));
    // A sweep finds views that have changed, and messages whose announcement was lost.
    const grown = new GrownFeeds(watch, [goodsItemEvents], async () => ({
      behind: [feed],
      last: undefined,
    }));
    signal.addEventListener('abort', () => grown.stop(), { once: true });
    try {
      let checkedAt = performance.now();
      while (!signal.aborted) {
        await grown.take(1);
        if (performance.now() - checkedAt >= CHECK_INTERVAL_MS) {
          await this.#expectEnd(target);
          checkedAt = performance.now();
          progressed();
        }
        if (signal.aborted) return;
        await this.#followViews();
        if (await this.#turn()) grown.add(feed);
      }
    } finally {
      grown.stop();
    }
  }

  /**
   * Continues after the last message of each subject that the view of today shows. Others begin anew, also after a message
   * that is none of this database: it was restored, or somebody else has stored it. Subjects of others are left as they are.
   */
  async #resume(last: ReadonlyMap<string, StoredMessage>): Promise<void> {
    const { database } = this.#parts;
    const markers = [...last.values()].map(({ marker }) => marker).filter(isUuid);
    const found = await database.query(selectMessagePositions(markers));
    const positions = new Map(found.map(({ id, position }) => [id, position]));
    const rows = await database.query(selectRelayedViews);
    const views = new Map(rows.map((row) => [row.identifier, row]));
    for (const [identifier, message] of last) {
      this.#outdated.add(identifier);
      const position = positions.get(message.marker);
      const row = views.get(identifier);
      if (position === undefined || row === undefined) this.#warnOfForeign(message);
      if (position === undefined || row?.view == null) continue;
      if (stateOf(row) === message.view)
        await this.#try(row, async () => this.#begin(row, position));
    }
  }

  #warnOfForeign(message: StoredMessage): void {
    const reason = { err: new ForeignMessageError(message) };
    this.#context.log.warn(reason, 'GOODS_ITEM_VIEWS has a message that was not relayed to it');
  }

  #begin(row: RelayedViewRow, position: number): void {
    const { organisation, identifier, version, view } = row;
    if (view === null) return;
    const current = { organisation, version, view, ...compile(view) };
    this.#relayed.set(organisation, {
      identifier,
      view: current,
      state: stateOf(row),
      position,
    });
    this.#outdated.delete(identifier);
    this.#turns.push(organisation);
  }

  /** Fails unless the stream ends with what was relayed: it has lost messages, or has some of a server that has lost the lock. */
  async #expectEnd(target: RelayStream): Promise<void> {
    const { sequence } = await target.end();
    if (sequence === this.#sequence) return;
    throw new Error(
      `${this.#parts.names.stream} ends at ${sequence}, and not at ${this.#sequence} as it was relayed`,
    );
  }

  /** Removes the messages of views that are not those of today any more, and begins with those of today. */
  async #followViews(): Promise<void> {
    for (const row of await this.#parts.database.query(selectRelayedViews)) {
      const relayed = this.#relayed.get(row.organisation);
      if (relayed?.state === stateOf(row)) continue;
      if (relayed !== undefined) this.#end(relayed);
      const isOutdated = this.#outdated.has(row.identifier);
      if (row.view === null && !isOutdated) {
        this.#context.held.release(row.organisation);
        continue;
      }
      await this.#try(row, async () => {
        await this.#recordStart(row);
        if (isOutdated) await this.#purge(row);
        this.#begin(row, 0);
        this.#context.held.release(row.organisation);
      });
    }
  }

  /** What fails of one view alone makes only this one wait, until it is another one or some time has passed. */
  async #try(row: RelayedViewRow, work: () => Promise<void>): Promise<void> {
    const { organisation, identifier } = row;
    const state = stateOf(row);
    if (this.#context.held.has(organisation, state)) return;
    try {
      await work();
    } catch (error) {
      const isOwn = error instanceof UnusableViewError || error instanceof RefusedPurgeError;
      if (!isOwn) throw error;
      this.#hold(identifier, organisation, state, error);
    }
  }

  /** So that nothing is removed that the view of today does not have yet, by whichever server. */
  async #recordStart({ organisation: owner, view }: RelayedViewRow): Promise<void> {
    const { database, names } = this.#parts;
    const start = [{ owner, position: 0, sequence: this.#sequence }];
    await database.query(
      view === null ? forgetViews(names.stream, [owner]) : recordRelayed(names.stream, start),
    );
  }

  #end({ identifier, view: { organisation } }: Relayed): void {
    this.#relayed.delete(organisation);
    this.#turns.splice(this.#turns.indexOf(organisation), 1);
    this.#context.held.release(organisation);
    this.#outdated.add(identifier);
  }

  async #purge({ identifier }: RelayedViewRow): Promise<void> {
    const subject = this.#parts.names.toSubject(identifier);
    await this.#context.stream.purge(subject, this.#sequence);
    this.#outdated.delete(identifier);
  }

  /** Relays the next messages of some views. Returns whether there may be more. */
  async #turn(): Promise<boolean> {
    const { database } = this.#parts;
    const { stream: target, held, progressed, signal } = this.#context;
    const [ends] = await database.query(selectStreamEnds);
    const waiting = this.#turns.filter(
      (owner) => !held.has(owner) && this.#find(owner).position < (ends?.end ?? 0),
    );
    const owners = waiting.slice(0, MAX_VIEWS_PER_TURN);
    const until = performance.now() + MAX_SEARCH_MS;
    const found: Found[] = [];
    let searched = 0;
    for (const owner of owners) {
      if (signal.aborted || (searched > 0 && performance.now() >= until)) break;
      const one = await this.#search(this.#find(owner), owners.length);
      if (one !== undefined) found.push(one);
      searched++;
      // The next turn begins with the view after it.
      this.#turns.push(...this.#turns.splice(this.#turns.indexOf(owner), 1));
    }
    if (found.length === 0) return waiting.length > searched;
    const messages = found.flatMap((one) => this.#messagesOf(one));
    const { stored, full } = await storeAll(target, messages, this.#sequence, signal);
    this.#note(found, stored, full);
    await this.#record(found.map(({ relayed }) => relayed));
    if (stored > 0) progressed();
    return stored < messages.length || waiting.length > searched || found.some(hasMore);
  }

  /** Keeps how far each view is relayed now. */
  #note(found: readonly Found[], stored: number, full: Error | undefined): void {
    let left = stored;
    let refused: { relayed: Relayed; position: number } | undefined;
    for (const { relayed, shown, position } of found) {
      const own = shown.slice(0, left);
      left -= own.length;
      this.#sequence += own.length;
      const next = shown[own.length];
      const { organisation } = relayed.view;
      if (own.length > 0 || next === undefined) this.#context.held.release(organisation);
      relayed.position = next === undefined ? position : (own.at(-1)?.position ?? relayed.position);
      if (next !== undefined) refused ??= { relayed, position: next.position };
    }
    if (full !== undefined && refused !== undefined) {
      const { identifier, view } = refused.relayed;
      this.#hold(identifier, view.organisation, refused.position, full);
    }
  }

  /** Only this view waits, and is tried again. */
  #hold(identifier: string, organisation: number, at: number | string, err: unknown): void {
    if (!this.#context.held.hold(organisation, at)) return;
    const reason = { err, organisation: identifier };
    this.#context.log.warn(reason, 'goods items of one view are not relayed to NATS');
  }

  /** For the lag, and for retention. */
  async #record(relayed: Iterable<Relayed>): Promise<void> {
    const { database, names } = this.#parts;
    const rows = Array.from(relayed, ({ view: { organisation: owner }, position }) => ({
      owner,
      position,
      sequence: this.#sequence,
    }));
    await database.query(recordRelayed(names.stream, rows));
  }

  #find(owner: number): Relayed {
    const relayed = this.#relayed.get(owner);
    if (relayed === undefined) throw new Error(`the view of organisation ${owner} is not relayed`);
    return relayed;
  }

  /**
   * What a view shows after what was relayed; `undefined` if it cannot be read, and waits.
   *
   * @param views how many share the messages and the memory of a turn
   */
  async #search(relayed: Relayed, views: number): Promise<Found | undefined> {
    const { database, reader } = this.#parts;
    const { view, position } = relayed;
    const limit = Math.ceil(MAX_MESSAGES_PER_TURN / views);
    const bytes = Math.ceil(MAX_PAGE_BYTES / views);
    try {
      return { relayed, ...(await reader.findShown(view, position, limit, bytes)) };
    } catch (error) {
      if (!(error instanceof MarkerExpiredError)) {
        this.#hold(relayed.identifier, view.organisation, position, error);
        return undefined;
      }
      const [ends] = await database.query(selectStreamEnds);
      const removed = ends?.removed ?? position;
      const reason = { owner: view.organisation, last: position, next: removed + 1 };
      this.#context.log.warn(reason, 'goods items expired before they were relayed to a view');
      return { relayed, shown: [], position: removed, more: true };
    }
  }

  /** They have no id: what was removed is stored again, which JetStream would take for duplicates. */
  #messagesOf({ relayed: { identifier, state }, shown }: Found): NewMessage[] {
    return shown.map(({ id, text }) => ({
      subject: this.#parts.names.toSubject(identifier),
      marker: id,
      entry: text,
      view: state,
    }));
  }
}
