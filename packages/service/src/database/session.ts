// What every session with the database is set to, and how long each kind of session may wait: all numbers are here.

/**
 * Every query is a look-up by key. A table that was empty when a plan was made would otherwise be read whole for
 * as long as the plan is kept, by itself or to merge its index with a batch; a plan made anew for each batch costs
 * more than the batch, and so does compiling it.
 */
const planner = {
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  // The last record of a chain was read by a sort of the whole chain, if the plan was made while its month was empty.
  enable_bitmapscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** The planner's settings as arguments of a server process: the embedded database. */
export const sessionArguments = toArguments(planner);

/**
 * How soon the server gives up a client that is gone silently, and with it the locks that it held: an idle
 * connection after 10 + 3 * 5 seconds, one with bytes under way after 20.
 */
const deadClient = {
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20s',
  // Between two statements of a transaction our server only computes; 10 s is a thousand times what that takes.
  idle_in_transaction_session_timeout: '10s',
};

/** How soon our side notices that the server's machine is gone: the first probe, in milliseconds. */
export const KEEP_ALIVE_MS = 5000;

/** How long PostgreSQL may take to accept a session before it counts as unavailable, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 5000;

/** How much longer than the server's own limit a statement may go without a response before its socket is closed. */
const RESPONSE_GRACE_MS = 2000;

/** The limits of a kind of session. Times are in milliseconds; 0 is without limit. */
type SessionLimits = {
  /** For one statement, waiting for locks included. */
  statement: number;
  /** For one lock. Shorter than `statement`, so that the error says that it was a lock. */
  lock: number;
  /** How often the server checks during a statement whether the client is still there. */
  clientCheck?: number;
  /** Memory for sorting and hashing, where it must be more than the server's default. */
  workMem?: string;
};

const kinds = {
  /** Reading. The longest is a page of a search: 10,000 candidates, below a second. */
  pool: { statement: 30_000, lock: 10_000 },
  /** Short reads by key, which wait for each other. */
  lookUps: { statement: 5_000, lock: 2_000 },
  /** Reading from a standby. The primary reads what takes longer. */
  standby: { statement: 1_500, lock: 1_000 },
  /** Small presentations. They share the session, so all wait while one waits. */
  small: { statement: 10_000, lock: 5_000 },
  /** Large presentations: 100,000 house consignments take up to a minute. */
  large: { statement: 300_000, lock: 30_000, workMem: '256MB' },
  /** Imports. They wait for locks without a session (`transact-on-feeds.ts`), because all imports share one. */
  imports: { statement: 300_000, lock: 2_000, workMem: '256MB' },
  /** Changes of single requests, which wait for locks without a session too, and share a few. */
  writes: { statement: 60_000, lock: 2_000, workMem: '64MB' },
  /** Blocks of goods-item messages: 10,000 take seconds. */
  stream: { statement: 60_000, lock: 10_000, workMem: '64MB' },
  /** Listening, holding a session lock, and checking other sessions: their statements are short. */
  service: { statement: 1_000, lock: 1_000 },
  /** One commit at a time, which waits until a standby confirms it. */
  probe: { statement: 0, lock: 1_000 },
  /** The embedded database, which cannot cancel a statement. */
  embedded: { statement: 0, lock: 0 },
  /**
   * Migrations and verification, run by a person who can see and stop them, and background work on whole tables: a
   * statement ends with the process, however that ends. What takes a lock that others need sets its own limit.
   */
  maintenance: { statement: 0, lock: 0, clientCheck: 1000 },
} satisfies Record<string, SessionLimits>;

/** What a session is for. */
export type SessionKind = keyof typeof kinds;

/** How long a statement may take to get a response on a session of a kind, in ms; `Infinity` without limit. */
export function responseTimeout(kind: SessionKind): number {
  const { statement } = kinds[kind];
  return statement === 0 ? Number.POSITIVE_INFINITY : statement + RESPONSE_GRACE_MS;
}

/**
 * How long a session may take to be opened, in ms, also where its statements have no limit: before the first response its
 * server process is not known, so that other sessions cannot query whether it is working.
 */
export function openingTimeout(kind: SessionKind): number {
  // The embedded database opens its files meanwhile.
  return kind === 'embedded'
    ? Number.POSITIVE_INFINITY
    : Math.min(responseTimeout(kind), responseTimeout('pool'));
}

/** All settings of a session of a kind with PostgreSQL, by their names. */
export function settingsOf(kind: SessionKind): Record<string, string> {
  const { statement, lock, workMem, clientCheck }: SessionLimits = kinds[kind];
  return {
    ...planner,
    ...deadClient,
    // The warning that a commit was not confirmed by a standby must arrive.
    client_min_messages: 'warning',
    // `requireTransaction` distinguishes by it whether a transaction was begun.
    default_transaction_deferrable: 'off',
    statement_timeout: String(statement),
    lock_timeout: String(lock),
    ...(workMem === undefined ? {} : { work_mem: workMem }),
    ...(clientCheck === undefined ? {} : { client_connection_check_interval: String(clientCheck) }),
  };
}

/** The settings that every session gets from here, so that DATABASE_URL must not have them. */
export const ownSettings: ReadonlySet<string> = new Set(Object.keys(settingsOf('pool')));

function toArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
