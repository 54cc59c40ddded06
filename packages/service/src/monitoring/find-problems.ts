// The rules that find what is wrong now. What each means and what an operator does is in the contract's
// `serviceProblems`; its thresholds are stated there in words.
import {
  type AuditVerification,
  MAX_PAST,
  relayNames,
  relays,
  runbookAddress,
  type ServiceProblem,
  type ServiceProblemCode,
  serviceProblems,
} from '@landfall/contract';
import { COMMITS_TASK } from '../database/failed-writes.js';
import type { CallerCount } from '../metrics/request-counts.js';
import type { LastFigures, Minute } from './queries.js';
import { stateOf } from './server-state.js';

/** What the rules examine. */
export type Evidence = {
  /** Milliseconds since 1970. */
  now: number;
  /** The minutes of the last day, oldest first. */
  minutes: readonly Minute[];
  servers: readonly LastFigures[];
  /** The requests of organisations in the last CALLER_MINUTES. */
  recentCallers: readonly CallerCount[];
  verification: AuditVerification | undefined;
  /** Since when there is an audit trail, in milliseconds since 1970. */
  trailSince: number | undefined;
  /** The JetStream streams to which servers relay, or have relayed, each kind of feed. */
  relayed: readonly { streams: readonly string[] }[];
  /** The organisation whose view is furthest behind; default: none is. */
  viewBehind?: string | undefined;
  /** What is not fulfilled on the server that responds; default: nothing is known. */
  conditions?: readonly { task: string; since: Date }[];
};

/** The background tasks that check a condition, each a problem of its own. */
const KEY_SET_TASK = 'identity-provider-keys';

/** Minutes over which the refusals of an organisation are added up. */
export const CALLER_MINUTES = 15;

/** A figure of a minute. */
type Figure = Exclude<keyof Minute, 'backgroundFailures'>;

type Found = Pick<ServiceProblem, 'since' | 'subject' | 'value'>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Without figures that are younger than this, nothing is said about now. */
const MAX_AGE = 3 * MINUTE;

/** The background task that checks standbys; its failures are a problem of their own. */
export const STANDBYS_TASK = 'standbys';

/** The tasks whose failures are problems of their own. */
const OWN_PROBLEMS: readonly string[] = [STANDBYS_TASK, COMMITS_TASK, KEY_SET_TASK];

const rules: { [code in ServiceProblemCode]: (evidence: Evidence) => readonly Found[] } = {
  AUDIT_BROKEN: ({ verification }) =>
    verification !== undefined && verification.breaks > 0
      ? [{ since: verification.at, value: verification.breaks }]
      : [],

  ERRORS: lasting(2, 'failed', (failed, { requests }) => failed >= 5 && failed > requests / 100),

  CANNOT_COMMIT: ofCondition(COMMITS_TASK),

  IDENTITY_PROVIDER: ofCondition(KEY_SET_TASK),

  SERVER_SILENT: ({ now, servers }) =>
    servers
      .filter((server) => stateOf(server, now) === 'SILENT' && now - server.at.getTime() < HOUR)
      .map(({ server, at }) => ({ since: at.toISOString(), subject: server })),

  RELAY_STOPPED: ofEachRelay(3, 'relaying', (relaying) => relaying === 0),

  RELAY_STREAMS: ({ relayed }) =>
    relayed
      .filter(({ streams }) => streams.length > 1)
      .map(({ streams }) => ({ subject: streams.join(', ') })),

  REPLICA_MISSING: (evidence) => {
    const { now, minutes } = evidence;
    const expected = Math.max(
      ...minutes.filter(({ at }) => at > now - 6 * HOUR).map(({ replicas }) => replicas ?? 0),
      0,
    );
    return lasting(3, 'replicas', (replicas) => replicas < expected)(evidence);
  },

  QUEUE: lasting(3, 'queued', (queued) => queued > 1000),

  SLOW: lasting(5, 'presentations', (seconds) => seconds > 1),

  POOL: lasting(3, 'poolWaiting', (waiting) => waiting > 0),

  BUSY: lasting(5, 'processorShare', (share) => share > 0.9),

  RELAY_BEHIND: ofEachRelay(5, 'lag', (entries) => entries > 10_000),

  RELAY_HELD: ofEachRelay(3, 'held', (held) => held > 0),
  ARCHIVE_STOPPED: lasting(3, 'archiveLag', (seconds) => seconds > 600),

  BACKUP_OLD: lasting(3, 'backupAge', (seconds) => seconds > 26 * 3600),

  REPLICATION_BEHIND: lasting(3, 'replicationLag', (seconds) => seconds > 30),

  // A standby that cannot be read from is a failure of each check, of which there are at least 15 a minute.
  STANDBY_UNUSED: lasting(
    3,
    ({ backgroundFailures }) => backgroundFailures?.[STANDBYS_TASK] ?? 0,
    (failures) => failures > 10,
  ),

  BACKGROUND: ({ now, minutes }) => {
    const since = new Map<string, { at: number; failures: number }>();
    for (const { at, backgroundFailures } of within(minutes, now, 5 * MINUTE)) {
      for (const [task, failures] of Object.entries(backgroundFailures ?? {})) {
        if (OWN_PROBLEMS.includes(task)) continue;
        const earlier = since.get(task);
        since.set(task, {
          at: earlier?.at ?? at - MINUTE,
          failures: failures + (earlier?.failures ?? 0),
        });
      }
    }
    return [...since].map(([task, { at, failures }]) => ({
      since: new Date(at).toISOString(),
      subject: task,
      value: failures,
    }));
  },

  REFUSALS: ({ recentCallers }) =>
    recentCallers
      .filter(({ requests, refused }) => requests >= 100 && refused > requests / 2)
      .map(({ organisation, refused }) => ({ subject: organisation, value: refused })),

  CONNECTIONS: ({ now, minutes }) => {
    const dropping = within(minutes, now, 5 * MINUTE).filter(
      ({ droppedConnections }) => droppedConnections > 0,
    );
    const [first] = dropping;
    if (first === undefined) return [];
    return [
      {
        since: new Date(first.at - MINUTE).toISOString(),
        value: dropping.reduce((sum, { droppedConnections }) => sum + droppedConnections, 0),
      },
    ];
  },

  VERSIONS: ({ now, servers }) => {
    const versions = new Set(
      servers
        .filter((server) => stateOf(server, now) === 'REPORTING')
        .map(({ version }) => version),
    );
    return versions.size > 1 ? [{ subject: [...versions].sort().join(', ') }] : [];
  },

  AUDIT_OLD: ({ now, verification, trailSince }) => {
    const isWhole = verification !== undefined && !verification.recordsOnly;
    const since = isWhole ? Date.parse(verification.at) : trailSince;
    return since !== undefined && now - since > 8 * DAY
      ? [{ since: new Date(since).toISOString() }]
      : [];
  },
};

/** Everything that is wrong now, the worst first. */
export function findProblems(evidence: Evidence): ServiceProblem[] {
  return findCoded(evidence, allCodes).map(({ code, found }) =>
    describe(code, found, evidence.minutes),
  );
}

// The cast is true because these are the keys of the table.
const allCodes = Object.keys(serviceProblems) as ServiceProblemCode[];

/** The problems that the figures of minutes alone tell: what they were can be found out later. */
const CODES_OF_MINUTES: readonly ServiceProblemCode[] = [
  'ERRORS',
  'CANNOT_COMMIT',
  'IDENTITY_PROVIDER',
  'RELAY_STOPPED',
  'REPLICA_MISSING',
  'QUEUE',
  'SLOW',
  'POOL',
  'BUSY',
  'RELAY_BEHIND',
  'RELAY_HELD',
  'ARCHIVE_STOPPED',
  'BACKUP_OLD',
  'REPLICATION_BEHIND',
  'STANDBY_UNUSED',
  'BACKGROUND',
  'CONNECTIONS',
];

/** How much of the past a rule reads. */
const RULE_MINUTES = 360;

/**
 * What was wrong and has ended, the last one first: the rules are applied to each minute as if it were the last one. Of
 * too many, the last.
 */
export function findPastProblems(minutes: readonly Minute[], now: number): ServiceProblem[] {
  type Period = { code: ServiceProblemCode; found: Found; since: number; seen: number };
  const open = new Map<string, Period>();
  const ended: Period[] = [];
  const end = (key: string, period: Period) => {
    open.delete(key);
    ended.push(period);
  };
  for (const [index, { at }] of minutes.entries()) {
    const evidence: Evidence = {
      now: at,
      minutes: minutes.slice(Math.max(0, index + 1 - RULE_MINUTES), index + 1),
      servers: [],
      recentCallers: [],
      verification: undefined,
      trailSince: undefined,
      relayed: [],
    };
    const current = new Set<string>();
    for (const { code, found } of findCoded(evidence, CODES_OF_MINUTES)) {
      const key = `${code} ${found.subject ?? ''}`;
      current.add(key);
      const since = Date.parse(found.since ?? '');
      const before = open.get(key);
      // It may have ended and begun again between two minutes that report.
      if (before !== undefined && since > before.seen) end(key, before);
      const begun = open.get(key)?.since ?? since;
      open.set(key, { code, found, since: begun, seen: at });
    }
    for (const [key, period] of [...open]) if (!current.has(key)) end(key, period);
  }
  // Without newer figures nothing is known of now: then it is not reported as one of now either.
  for (const [key, period] of [...open]) if (now - period.seen > MAX_AGE) end(key, period);
  return ended
    .sort((one, other) => other.seen - one.seen)
    .slice(0, MAX_PAST)
    .map(({ code, found, since, seen }) =>
      describe(
        code,
        { ...found, since: new Date(since).toISOString(), until: new Date(seen).toISOString() },
        minutes,
      ),
    );
}

function findCoded(
  evidence: Evidence,
  codes: readonly ServiceProblemCode[],
): { code: ServiceProblemCode; found: Found }[] {
  return codes.flatMap((code) => rules[code](evidence).map((found) => ({ code, found })));
}

function describe(
  code: ServiceProblemCode,
  found: Found & Pick<ServiceProblem, 'until'>,
  minutes: readonly Minute[],
): ServiceProblem {
  const { severity, title, when, actions } = serviceProblems[code];
  return {
    code,
    severity,
    ...found,
    ...(found.since !== undefined && { failedRequests: countFailed(found, minutes) }),
    title,
    when,
    actions: [...actions],
    runbook: runbookAddress(code),
  };
}

/** A minute is named by its end. */
function countFailed(
  { since = '', until }: Pick<ServiceProblem, 'since' | 'until'>,
  minutes: readonly Minute[],
): number {
  const [from, to] = [Date.parse(since), until === undefined ? Infinity : Date.parse(until)];
  let count = 0;
  for (const { at, failed } of minutes) if (at > from && at <= to) count += failed;
  return Math.round(count);
}

/** A condition of the server that responds, known at once, or of another one, by the failures of its last minutes. */
function ofCondition(task: string): (evidence: Evidence) => readonly Found[] {
  return ({ now, minutes, conditions = [] }) => {
    const own = conditions.find((condition) => condition.task === task);
    if (own !== undefined) return [{ since: own.since.toISOString() }];
    const recent = within(minutes, now, 2 * MINUTE);
    if (!recent.some((minute) => isFailing(minute, task))) return [];
    const lastRight = minutes.findLastIndex(
      (minute) => minute.at < now - 2 * MINUTE && !isFailing(minute, task),
    );
    const first = minutes[lastRight + 1];
    return first === undefined ? [] : [{ since: new Date(first.at - MINUTE).toISOString() }];
  };
}

function isFailing({ backgroundFailures }: Minute, task: string): boolean {
  return (backgroundFailures?.[task] ?? 0) > 0;
}

/**
 * A rule about a figure that must be broken in each of the last minutes. A minute without the figure ends it.
 *
 * @param count how many minutes
 * @param isWrong whether the figure is wrong in a minute
 */
function lasting(
  count: number,
  figure: Figure | ((minute: Minute) => number),
  isWrong: (value: number, minute: Minute) => boolean,
): (evidence: Evidence) => readonly Found[] {
  const read = typeof figure === 'string' ? (minute: Minute) => minute[figure] : figure;
  return ({ now, minutes }) => {
    const last = minutes.at(-1);
    if (last === undefined || now - last.at > MAX_AGE) return [];
    const lastRight = minutes.findLastIndex((minute) => {
      const value = read(minute);
      return value === null || !isWrong(value, minute);
    });
    const wrong = minutes.slice(lastRight + 1);
    const [first] = wrong;
    if (first === undefined || wrong.length < count) return [];
    return [{ since: new Date(first.at - MINUTE).toISOString(), value: read(last) ?? 0 }];
  };
}

/** Such a rule about a figure that each relay has. */
function ofEachRelay(
  count: number,
  figure: 'lag' | 'relaying' | 'held',
  isWrong: (value: number) => boolean,
): (evidence: Evidence) => readonly Found[] {
  const rulesOfRelays = relayNames.map((name) => ({
    name,
    find: lasting(count, relays[name][figure], isWrong),
  }));
  return (evidence) =>
    rulesOfRelays.flatMap(({ name, find }) => {
      const behind =
        name === 'goods-item-views' && figure === 'lag' ? evidence.viewBehind : undefined;
      const { stream } = relays[name];
      const subject = behind === undefined ? stream : `${stream}, ${behind}`;
      return find(evidence).map((found) => ({ ...found, subject }));
    });
}

function within(minutes: readonly Minute[], now: number, age: number): readonly Minute[] {
  return minutes.filter(({ at }) => at > now - age);
}
