// Follows a feed until Ctrl-C or a limit, and reports lost connections.
import {
  type FollowOptions,
  type FollowState,
  LandfallError,
  MarkerExpiredError,
} from '@landfall/client';
import { printable, report } from '../output/output.js';
import { CallFailedError } from '../process/exit.js';
import { abortOnStop } from '../process/stop.js';
import { openMarkerFile } from './marker-file.js';

/** How a command follows. */
export type FollowSettings<Entry> = {
  /** What is followed, such as `the routing signals of carrier`. */
  what: string;
  /** One entry, such as `signal`. */
  noun: string;
  /** Where to begin if the file of `store` has no position; `undefined`: at the first entry. */
  findStart: () => Promise<string | undefined>;
  /** Begins at a time instead. */
  since?: Date;
  /** A file that keeps the position. */
  store?: string;
  /** The number of entries after which it ends. */
  limit?: number;
  /** The time after which it ends as `PENDING`, in milliseconds; default: never. */
  withinMs?: number | undefined;
  /** What to run when entries after the position are no longer kept. */
  startAgain: string;
  /** Called when following begins. The signal aborts when it is to end. */
  begin: (signal: AbortSignal) => void | Promise<void>;
  /** Throws for what is no entry. */
  check: (entry: Entry) => void;
  /** Processes an entry. Its position is saved when this has resolved. The signal aborts when following is to end. */
  handle: (entry: Entry, signal: AbortSignal) => Promise<void>;
};

const TIME_OVER = 'the time of --within is over';

/** @throws the errors of the client, and those of `handle`: then its entry is the first one of the next run */
export async function followFeed<Entry>(
  follow: (options: FollowOptions) => AsyncIterable<Entry>,
  {
    what,
    noun,
    findStart: findMarker,
    since,
    store: file,
    limit,
    withinMs,
    startAgain,
    begin,
    check,
    handle,
  }: FollowSettings<Entry>,
): Promise<void> {
  const stopped = abortOnStop();
  const findStart = since === undefined ? findMarker : async () => undefined;
  const position =
    file === undefined ? { marker: await findStart() } : { store: openMarkerFile(file, findStart) };
  const options = {
    ...position,
    since,
    signal: stopped.signal,
    onStateChange: reportStates(noun),
  };
  const timer =
    withinMs === undefined
      ? undefined
      : setTimeout(() => stopped.abort(new CallFailedError(TIME_OVER, 'PENDING')), withinMs);
  report(`following ${what}; press Ctrl-C to stop`);
  let count = 0;
  try {
    await begin(stopped.signal);
    for await (const entry of follow(options)) {
      check(entry);
      await handle(entry, stopped.signal);
      count += 1;
      // The position of this entry is saved when its turn of the loop ends.
      if (count === limit) stopped.abort();
    }
  } catch (error) {
    if (error instanceof MarkerExpiredError) {
      const withoutFile = file === undefined ? '' : `delete ${file}, then `;
      report(`To start again: ${withoutFile}${startAgain}`);
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (stopped.signal.reason instanceof CallFailedError) throw stopped.signal.reason;
  if (file !== undefined && count > 0) {
    report(`the position is saved in ${file}; the next run resumes there`);
  }
}

/** Reports a lost connection once, however many attempts reconnecting takes. */
function reportStates(noun: string): (state: FollowState) => void {
  let isLost = false;
  let isDegraded = false;
  return (change) => {
    if (change.state === 'lost') {
      isLost = true;
      const reason = change.error instanceof LandfallError ? change.error.message : 'interrupted';
      report(`${printable(reason)}; reconnecting, then resuming after the last ${noun}`);
      return;
    }
    if (isLost) report(`connected again; waiting for the next ${noun}`);
    isLost = false;
    if (change.mode === 'events' || isDegraded) return;
    isDegraded = true;
    const way = change.mode === 'wait' ? 'requests that wait' : 'requests every 5 s';
    report(`a stream of events does not get through to here; using ${way}`);
  };
}
