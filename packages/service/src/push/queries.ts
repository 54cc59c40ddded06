// SQL of subscriptions, as their organisations create, read and change them.
import type {
  AttemptOutcome,
  Subscription,
  SubscriptionAttempt,
  SubscriptionSignature,
  SubscriptionState,
  SuspensionReason,
} from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { SUBSCRIPTION_LOCK } from '../database/locks.js';

/** Whose subscriptions, and to which kinds of feeds. */
export type Holder = { organisationId: number; kinds: readonly number[] };

/** A subscription as it is stored, with the keys that are signed with, the newest first. */
export type SubscriptionRow = {
  kind: number;
  signature: SubscriptionSignature;
  keys: Buffer[];
  state: SubscriptionState;
  url: string;
  isVerified: boolean;
  shown: Omit<Subscription, 'feed' | 'publicKeys'>;
};

const COLUMNS = `s.kind, s.signature, p.state, s.url, p.is_verified as "isVerified",
        array(
          select key from push_secret k
          where k.subscription_id = s.id and (k.retires_at is null or k.retires_at > now())
          order by number desc
        ) as keys,
        json_strip_nulls(json_build_object('id', s.id, 'url', s.url, 'signature', s.signature, 'state', p.state,
          'reason', p.reason, 'client', s.client_id, 'createdAt', api_time(s.created_at),
          'changedAt', api_time(p.changed_at), 'marker', p.marker,
          'pending', greatest(coalesce((
            select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner), 0) - p.position, 0),
          'confirmedAt', api_time(p.confirmed_at), 'failingSince', api_time(p.failing_since),
          'failures', nullif(p.failures, 0),
          'nextAttemptAt', case when p.failures > 0 and p.state in ('VERIFYING', 'ACTIVE')
            then api_time(p.next_attempt_at) end)) as shown`;

const FROM = 'push_subscription s join push_progress p on p.subscription_id = s.id';

/** All subscriptions of an organisation to some kinds of feeds, in the order of their creation. */
export function selectSubscriptions({ organisationId, kinds }: Holder): Statement<SubscriptionRow> {
  return {
    name: 'select-subscriptions',
    text: `
      select ${COLUMNS} from ${FROM}
      where s.organisation_id = $1 and s.kind = any ($2::integer[])
      order by s.id`,
    values: [organisationId, kinds],
  };
}

/** One of these. */
export function selectSubscription(
  id: string,
  { organisationId, kinds }: Holder,
): Statement<SubscriptionRow> {
  return {
    name: 'select-subscription',
    text: `
      select ${COLUMNS} from ${FROM}
      where s.id = $1 and s.organisation_id = $2 and s.kind = any ($3::integer[])`,
    values: [id, organisationId, kinds],
  };
}

/**
 * The same, locked until the end of the transaction: nobody else changes it, or stores what became of an attempt. How far it is
 * is locked first, as by whoever stores an attempt.
 */
export function lockSubscription(
  id: string,
  { organisationId, kinds }: Holder,
): Statement<{ id: string }> {
  return {
    name: 'lock-subscription',
    text: `
      select s.id from ${FROM}
      where s.id = $1 and s.organisation_id = $2 and s.kind = any ($3::integer[])
      for no key update of p`,
    values: [id, organisationId, kinds],
  };
}

/** Counts the subscriptions of an organisation. Nobody else creates one until the end of the transaction. */
export function lockSubscriptions(organisationId: number): Statement<{ locked: true }> {
  return {
    name: 'lock-subscriptions',
    text: `select true as locked from pg_advisory_xact_lock(${SUBSCRIPTION_LOCK}, $1)`,
    values: [organisationId],
  };
}

export function countSubscriptions(organisationId: number): Statement<{ count: number }> {
  return {
    name: 'count-subscriptions',
    text: 'select count(*)::integer as count from push_subscription where organisation_id = $1',
    values: [organisationId],
  };
}

/** A subscription as it is created. */
export type SubscriptionToStore = {
  id: string;
  organisationId: number;
  clientId: string;
  kind: number;
  owner: number;
  url: string;
  signature: SubscriptionSignature;
  position: number;
  marker: string | undefined;
  key: Buffer;
};

/** Stores a subscription whose receiver is not verified. */
export function insertSubscription(
  subscription: SubscriptionToStore,
  at: Date | undefined,
): Statement {
  const { id, organisationId, clientId, kind, owner, url, signature } = subscription;
  return {
    name: 'insert-subscription',
    text: `
      with stored as (
        insert into push_subscription (id, organisation_id, client_id, kind, owner, url, signature, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, record_time($8::timestamptz))
        returning id, created_at
      ),
      progress as (
        insert into push_progress (subscription_id, state, changed_at, is_verified, position, marker, failures,
          next_attempt_at, attempts, leased_until)
        select id, 'VERIFYING', created_at, false, $9, $10, 0, now(), 0, '-infinity' from stored
      )
      insert into push_secret (subscription_id, number, key) select id, 1, $11 from stored`,
    values: [
      id,
      organisationId,
      clientId,
      kind,
      owner,
      url,
      signature,
      at?.toISOString(),
      subscription.position,
      subscription.marker,
      subscription.key,
    ],
  };
}

/** What a subscription becomes by a request of a client. The row is locked. */
export type ChangedSubscription = {
  clientId: string;
  url: string;
  state: SubscriptionState;
  isVerified: boolean;
};

/** Changes a subscription, whose failures of before do not count any more. */
export function updateSubscription(
  id: string,
  { clientId, url, state, isVerified }: ChangedSubscription,
  at: Date | undefined,
): Statement {
  return {
    name: 'update-subscription',
    text: `
      with changed as (
        update push_subscription set client_id = $2, url = $3 where id = $1
      )
      update push_progress p
      set state = $4, reason = null, is_verified = $5, changed_at = record_time($6::timestamptz),
        failing_since = null, failures = 0, next_attempt_at = now(),
        address = p.address + (s.url <> $3)::integer
      from (select url from push_subscription where id = $1) s
      where p.subscription_id = $1`,
    values: [id, clientId, url, state, isVerified, at?.toISOString()],
  };
}

/** Removes a subscription with everything that belongs to it. */
export function removeSubscription(id: string): Statement {
  return {
    name: 'remove-subscription',
    text: 'delete from push_subscription where id = $1',
    values: [id],
  };
}

/**
 * Adds a key that signs from now on; those before it sign for some hours. So many are kept, and no more sign at the same time.
 * The subscription is locked.
 */
export function rotateSecret(
  id: string,
  key: Buffer,
  { kept, oldHours }: { kept: number; oldHours: number },
  at: Date | undefined,
): Statement {
  return {
    name: 'rotate-subscription-secret',
    text: `
      with removed as (
        delete from push_secret
        where subscription_id = $1 and number <= (select max(number) from push_secret where subscription_id = $1) - $5 + 1
      ),
      retiring as (
        update push_secret set retires_at = now() + make_interval(hours => $3)
        where subscription_id = $1 and retires_at is null
      ),
      changed as (
        update push_progress set changed_at = record_time($4::timestamptz) where subscription_id = $1
      )
      insert into push_secret (subscription_id, number, key)
      select $1, max(number) + 1, $2 from push_secret where subscription_id = $1`,
    values: [id, key, oldHours, at?.toISOString(), kept],
  };
}

/** Suspends a subscription, unless somebody has changed its address meanwhile, or it sends nothing anyway. */
export function suspendSubscription(
  id: string,
  address: number,
  reason: SuspensionReason,
): Statement<{ organisation: string | null }> {
  return {
    name: 'suspend-subscription',
    text: `
      update push_progress p
      set state = 'SUSPENDED', reason = $3, changed_at = date_trunc('milliseconds', clock_timestamp()), leased_until = '-infinity'
      from push_subscription s
      where p.subscription_id = $1 and s.id = $1 and p.address = $2 and p.state in ('VERIFYING', 'ACTIVE')
      returning (select identifier from organisation o where o.id = s.organisation_id) as organisation`,
    values: [id, address, reason],
  };
}

/** What was sent, and what became of it. */
export type Attempt = {
  kind: SubscriptionAttempt['kind'];
  webhookId: string;
  entries: number;
  marker: string | undefined;
  outcome: AttemptOutcome;
  status: number | undefined;
  durationMs: number;
};

/** Stores an attempt that has no effect on the deliveries. Without a row, the subscription has ended. */
export function insertAttempt(
  id: string,
  attempt: Attempt,
  kept: number,
): Statement<{ attempt: SubscriptionAttempt }> {
  return {
    name: 'insert-subscription-attempt',
    text: `
      with numbered as (
        update push_progress set attempts = attempts + 1 where subscription_id = $1 returning attempts as number
      ),
      removed as (
        delete from push_attempt a using numbered n where a.subscription_id = $1 and a.number <= n.number - $9
      ),
      stored as (
        insert into push_attempt as a
          (subscription_id, number, at, kind, webhook_id, entries, marker, outcome, status, duration_ms)
        select $1, number, date_trunc('milliseconds', clock_timestamp()), $2, $3, $4, $5, $6, $7, $8 from numbered
        returning *
      )
      select ${ATTEMPT} as attempt from stored a`,
    values: [
      id,
      attempt.kind,
      attempt.webhookId,
      attempt.entries,
      attempt.marker,
      attempt.outcome,
      attempt.status,
      attempt.durationMs,
      kept,
    ],
  };
}

const ATTEMPT = `json_strip_nulls(json_build_object('number', a.number, 'at', api_time(a.at), 'kind', a.kind,
          'webhookId', a.webhook_id, 'entries', a.entries, 'marker', a.marker, 'outcome', a.outcome,
          'status', a.status, 'durationMs', a.duration_ms))`;

/** Attempts of a subscription, the newest first. */
export function selectAttempts(
  id: string,
  before: number | undefined,
  outcome: AttemptOutcome | undefined,
  limit: number,
): Statement<{ number: number; body: string }> {
  return {
    name: 'select-subscription-attempts',
    text: `
      select number, ${ATTEMPT}::text as body from push_attempt a
      where subscription_id = $1 and ($2::bigint is null or number < $2) and ($3::text is null or outcome = $3)
      order by number desc limit $4`,
    values: [id, before, outcome, limit],
  };
}
