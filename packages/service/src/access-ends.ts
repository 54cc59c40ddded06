// The table of everything that lasts by everything that ends access, with the seconds that each pair may take. A test
// tries every pair on two servers, and docs/guide/operate.md is generated from it.
import { DELIVERY_TIMEOUT_S, type Operation } from '@landfall/contract';
import { CACHE_TTL_MS, RECENT_MS } from './access/organisation-lookup.js';
import { REMOTE_KEYS_FRESH_S } from './access/remote-keys.js';
import { POLL_INTERVAL_MS } from './access/signing-keys/watch-key-file.js';
import { databaseLimits } from './console/database-sessions.js';
import { PROVIDER_TIMEOUT_S } from './console/openid/provider.js';
import { MAX_HELD_MS } from './feed/commit-apart.js';
import { RECHECK_INTERVAL_MS } from './http/access-check.js';
import { NDJSON } from './http/ndjson.js';
import { RUN_INTERVAL_MS } from './runs/carry-out-runs.js';

/** What lasts longer than its first check of access, and how it ends. The relay is not one: nobody's access is in it. */
export const lasting = {
  events: {
    name: 'A stream of events',
    ending: 'ends in order; a client that does not read is disconnected 2 s later',
  },
  wait: { name: 'A long poll', ending: 'gets 401' },
  upload: {
    name: 'An upload of lines',
    ending:
      'takes no further line; a last result with `ACCESS_ENDED`, or the 401, says from which line on nothing was processed. Earlier results stay valid',
  },
  download: {
    name: 'A response that is made while it is read',
    ending: 'is aborted, so that it is not taken for complete',
  },
  body: {
    name: 'A request whose body arrives slowly',
    ending: 'gets 401 when its body is complete',
  },
} as const;
export type Lasting = keyof typeof lasting;

/** Operations whose response is made while it is read: the contract does not show it. */
const downloads: readonly string[] = ['getEntrySummaryDeclaration'];

/** In which ways the requests of an operation last. */
export function lastingKindsOf({
  operationId,
  method,
  access,
  body,
  headers,
  responses,
}: Operation): Lasting[] {
  if (access === 'public') return [];
  const sent = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
  const found: Record<Lasting, boolean> = {
    events: sent.includes('text/event-stream'),
    // An upload prefers a summary.
    wait: method === 'GET' && headers?.Prefer !== undefined,
    upload: body?.[NDJSON] !== undefined,
    download: downloads.includes(operationId),
    body: Object.keys(body ?? {}).some((mediaType) => mediaType !== NDJSON),
  };
  // The cast is true because these are the keys of the record.
  return (Object.keys(found) as Lasting[]).filter((kind) => found[kind]);
}

/** A way in which access ends. Times are at most, in seconds; `undefined`: only with the token itself. */
export type AccessEnd = {
  /** What happens. */
  what: string;
  /** How to do it. */
  how: string;
  /** Who has access that ends so: holders of tokens, people with a session of the console, or both. */
  ends: readonly ('token' | 'session')[];
  /** Until no token is issued any more; `undefined` if this has nothing to do with it. */
  exchange?: number;
  /** Until a new request is refused. */
  request: number | undefined;
  /** Until everything of `lasting` has ended, and nothing more is delivered or begun in it. */
  open: number | undefined;
  /**
   * Until a routing run of theirs is paused, and decides nothing more; `undefined` if it goes on. A run has neither a token
   * nor a session: it is the decision of an organisation and of its client or person.
   */
  runs?: number;
  /**
   * Until nothing more is sent to receivers of their subscriptions, what has begun included; `undefined` if it goes on. As a
   * run, a subscription has neither a token nor a session.
   */
  push?: number;
};

const seconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);

/** A check itself takes a moment: a query, or reading a file. */
const CHECK = 1;

/** Until something open is checked with a row that was read after the change. */
const openByRow = seconds(RECHECK_INTERVAL_MS + RECENT_MS) + CHECK;
const requestByRow = seconds(CACHE_TTL_MS) + CHECK;
const requestByKey = seconds(POLL_INTERVAL_MS) + CHECK;
const recheck = seconds(RECHECK_INTERVAL_MS) + CHECK;
/** Until something open is checked with a session that was read after the change. */
const openBySession = seconds(RECHECK_INTERVAL_MS + databaseLimits.currentMs) + CHECK;
/** Until a run is looked at, and then until the transaction that decides for it has ended. */
const pausedRun = seconds(RUN_INTERVAL_MS + MAX_HELD_MS) + CHECK;
/** Until a delivery has ended that has begun before: each next one is begun by a statement that reads the rows. */
const lastDelivery = DELIVERY_TIMEOUT_S + CHECK;
const confirm = seconds(databaseLimits.confirmMs);

export const accessEnds = {
  expiry: {
    what: 'a token expires',
    how: '`LANDFALL_TOKEN_LIFETIME`',
    ends: ['token'],
    request: 0,
    open: CHECK,
  },
  key: {
    what: 'the signing key is rotated at once',
    how: '`landfall admin keys rotate --at-once`',
    ends: ['token'],
    request: requestByKey,
    open: requestByKey + recheck,
  },
  organisation: {
    what: 'an organisation is blocked',
    how: '`landfall organisation block`',
    ends: ['token', 'session'],
    exchange: 0,
    request: requestByRow,
    open: openByRow,
    runs: pausedRun,
    push: lastDelivery,
  },
  client: {
    what: 'a client is blocked',
    how: '`PUT /organisations/{id}` with the client, blocked',
    ends: ['token'],
    exchange: 0,
    request: requestByRow,
    open: openByRow,
    runs: pausedRun,
    push: lastDelivery,
  },
  removedClient: {
    what: 'a client is removed',
    how: '`PUT /organisations/{id}` without the client',
    ends: ['token'],
    exchange: 0,
    request: requestByRow,
    open: openByRow,
    runs: pausedRun,
    push: lastDelivery,
  },
  narrowedClient: {
    what: 'the scopes of a client are narrowed',
    how: '`PUT /organisations/{id}` with fewer `scopes` of the client; the identity provider gives no others from then on',
    ends: ['token'],
    request: undefined,
    open: undefined,
    runs: pausedRun,
    push: lastDelivery,
  },
  grant: {
    what: 'a scope is withdrawn from an organisation',
    how: '`landfall organisation revoke`',
    ends: ['token', 'session'],
    exchange: 0,
    request: requestByRow,
    open: openByRow,
    runs: pausedRun,
    push: lastDelivery,
  },
  signOut: {
    what: 'somebody signs out of the console',
    how: 'in the console',
    ends: ['session'],
    request: 0,
    open: openBySession,
  },
  signOutElsewhere: {
    what: 'somebody signs out at the provider that signs people in',
    how: 'at the provider, which says so with back-channel logout',
    ends: ['session'],
    request: 0,
    open: openBySession,
  },
  role: {
    what: 'a role, an organisation or an account is withdrawn at the provider that signs people in',
    how: 'at the provider',
    ends: ['session'],
    // While one request waits for the provider, others are served.
    request: confirm + PROVIDER_TIMEOUT_S,
    // A check of something open begins the confirmation, and the next check finds its result.
    open: confirm + PROVIDER_TIMEOUT_S + openBySession,
  },
  providerKey: {
    what: 'a key of the identity provider is withdrawn',
    how: 'at the provider, in the key set at `LANDFALL_IDP_JWKS_URL`',
    ends: ['token'],
    exchange: REMOTE_KEYS_FRESH_S,
    request: undefined,
    open: undefined,
  },
} as const satisfies Record<string, AccessEnd>;
export type AccessEndName = keyof typeof accessEnds;

/** The part of docs/guide/operate.md that says how long each way of ending access takes. */
export function describeAccessEnds(): string {
  const within = (time: number | undefined, otherwise: string) => {
    if (time === undefined) return otherwise;
    return time === 0 ? 'at once' : `${time} s`;
  };
  const rows = Object.values<AccessEnd>(accessEnds).map(
    ({ what, how, exchange, request, open, runs, push }) =>
      [
        what,
        how,
        within(exchange, '–'),
        within(request, 'when the token expires'),
        within(open, 'when the token expires'),
        within(runs, 'never'),
        within(push, 'never'),
      ].join(' | '),
  );
  return [
    '| What ends access | How | No new token after | Requests refused after | What is open ended after | Routing runs paused after | Nothing pushed after |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
    'What is open, and how it ends:',
    '',
    ...Object.values(lasting).map(({ name, ending }) => `- ${name} ${ending}.`),
    '- A subscription is suspended with `ACCESS_ENDED` when its next delivery would begin. It belongs to an organisation and to the client or person that has created or resumed it last, and needs neither a token nor a session: pause or delete the subscriptions of a person whose role is withdrawn.',
    '- A routing run is paused with `ACCESS_ENDED`, and decides nothing from then on. It is the decision of an organisation and of its client or person, and needs neither a token nor a session: pause or give up the runs of a person whose role is withdrawn.',
  ].join('\n');
}
