// SQL of sending: which subscriptions are due, who sends, and what became of it. All times are the database's.
import type { SubscriptionSignature, SubscriptionState } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';
import type { GrownFeed } from '../feed/grown-feeds.js';
import type { Attempt } from './queries.js';

/**
 * For how long a server may send to a subscription without storing anything, in seconds: longer than an attempt. It is also for
 * how long a subscription waits whose server was killed.
 */
export const LEASE_S = 25;

/** Whether a subscription may be sent to now: nobody else does, it is time, and there is something to send. */
const IS_DUE = `p.state in ('VERIFYING', 'ACTIVE') and p.next_attempt_at <= now() and p.leased_until <= now()
        and (p.state = 'VERIFYING' or p.position < (
          select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner))`;

/** The next feeds in the order of kinds and owners to which something is due. */
export function selectFeedsWithDue(
  after: GrownFeed | undefined,
  limit: number,
): Statement<GrownFeed> {
  return {
    name: 'push-feeds-with-due',
    text: `
      select distinct s.kind, s.owner
      from push_progress p join push_subscription s on s.id = p.subscription_id
      where ${IS_DUE} and (s.kind, s.owner) > ($1, $2)
      order by s.kind, s.owner limit $3`,
    values: [after?.kind ?? -1, after?.owner ?? -1, limit],
  };
}

/** A subscription that is due, and what its place depends on. */
export type DueRow = { id: string; organisationId: number; url: string; isUnproven: boolean };

/**
 * Subscriptions to some feeds that are due: in turns of the organisations, of each first those whose receivers have answered
 * the last time.
 */
export function selectDue(feeds: readonly GrownFeed[], limit: number): Statement<DueRow> {
  const given = new Parameters();
  return {
    name: 'push-due',
    text: `
      select id, "organisationId", url, "isUnproven"
      from (
        select s.id, s.organisation_id as "organisationId", s.url, p.next_attempt_at,
          p.failures > 0 or p.confirmed_at is null as "isUnproven",
          row_number() over (
            partition by s.organisation_id order by p.failures > 0 or p.confirmed_at is null, p.next_attempt_at, s.id) as turn
        from ${given.rows('wanted', feeds, {
          kind: ['integer', ({ kind }) => kind],
          owner: ['integer', ({ owner }) => owner],
        })}
        join push_subscription s using (kind, owner)
        join push_progress p on p.subscription_id = s.id
        where ${IS_DUE}
      ) due
      order by turn, next_attempt_at limit ${given.add(limit, 'integer')}`,
    values: given.values,
  };
}

/** A subscription that this server sends to now. */
export type ClaimedRow = {
  id: string;
  organisationId: number;
  organisation: string;
  clientId: string;
  kind: number;
  owner: number;
  url: string;
  /** Which of its addresses that is. */
  address: number;
  signature: SubscriptionSignature;
  keys: Buffer[];
  state: SubscriptionState;
  position: number;
  marker: string | null;
  /** The last entry of a delivery that was begun and is not confirmed. */
  sentTo: number | null;
  failures: number;
  /** For how long attempts have failed, in seconds. */
  failingForS: number;
  isAllowed: boolean;
  /** Where the feed ends, and the last entry of it that was removed. */
  feedEnd: number;
  removedPosition: number;
};

/** Takes subscriptions that nobody else sends to. Those that somebody else takes at the same time are left to them. */
export function claimDue(
  sender: string,
  ids: readonly string[],
  scopes: ReadonlyMap<number, readonly string[]>,
): Statement<ClaimedRow> {
  const given = new Parameters();
  const [by, wanted] = [given.add(sender, 'uuid'), given.add(ids, 'uuid[]')];
  return {
    name: 'push-claim',
    text: `
      with free as (
        select p.subscription_id from push_progress p join push_subscription s on s.id = p.subscription_id
        where p.subscription_id = any (${wanted}) and ${IS_DUE}
        for update of p skip locked
      )
      update push_progress p
      set sender = ${by}, leased_until = now() + interval '${LEASE_S} s'
      from free join push_subscription s on s.id = free.subscription_id
      join organisation o on o.id = s.organisation_id
      where p.subscription_id = free.subscription_id
      returning s.id, p.address, s.organisation_id as "organisationId", o.identifier as organisation, s.client_id as "clientId",
        s.kind, s.owner, s.url, s.signature, p.state, p.position, p.marker, p.sent_to as "sentTo", p.failures,
        coalesce(extract(epoch from now() - p.failing_since), 0)::double precision as "failingForS",
        array(
          select key from push_secret k
          where k.subscription_id = s.id and (k.retires_at is null or k.retires_at > now())
          order by number desc
        ) as keys,
        coalesce((select f.position from feed_state f where f.kind = s.kind and f.owner = s.owner), 0) as "feedEnd",
        coalesce((select f.removed_position from feed_state f where f.kind = s.kind and f.owner = s.owner), 0)
          as "removedPosition",
        ${isAllowed(given, scopes)} as "isAllowed"`,
    values: given.values,
  };
}

/** Whether the client of a subscription \`s\` may still read its feed. */
function isAllowed(given: Parameters, scopes: ReadonlyMap<number, readonly string[]>): string {
  const kinds = [...scopes].flatMap(([kind, names]) => names.map((scope) => ({ kind, scope })));
  const rows = given.rows('needed', kinds, {
    kind: ['integer', ({ kind }) => kind],
    scope: ['text', ({ scope }) => scope],
  });
  return `may_still_act(s.organisation_id, s.client_id, array(select scope from ${rows} where needed.kind = s.kind))`;
}

/** What became of an attempt to deliver or to verify, and what is begun next. */
export type SendingStep = {
  id: string;
  /** The address that was sent to: what became of it says nothing of another one. */
  address: number;
  attempt: Attempt | undefined;
  /** The last entry that was confirmed, and its id. */
  confirmed: { position: number; marker: string | null } | undefined;
  /** Whether the receiver has repeated the challenge. */
  isVerified: boolean;
  /** Seconds until the next attempt, if this one has failed. */
  waitS: number | undefined;
  /** The last entry of the delivery that begins now. */
  beginTo: number | undefined;
};

/** Whether the delivery may begin: then when it was made, in milliseconds since 1970, and whether access has ended. */
export type SendingStepRow = {
  id: string;
  begins: boolean;
  isAllowed: boolean;
  sentAt: Date | null;
};

/**
 * Stores what became of attempts, and begins the next delivery of each subscription that is still active. If none begins, the
 * subscription is free again. No row: somebody else sends, or the subscription has ended.
 */
export function storeSteps(
  sender: string,
  steps: readonly SendingStep[],
  scopes: ReadonlyMap<number, readonly string[]>,
  keptAttempts: number,
): Statement<SendingStepRow> {
  const given = new Parameters();
  const rows = given.rows('step', steps, {
    id: ['uuid', ({ id }) => id],
    address: ['integer', ({ address }) => address],
    confirmed: ['bigint', ({ confirmed }) => confirmed?.position],
    confirmed_marker: ['uuid', ({ confirmed }) => confirmed?.marker],
    is_verified: ['boolean', ({ isVerified }) => isVerified],
    wait: ['double precision', ({ waitS }) => waitS],
    begin_to: ['bigint', ({ beginTo }) => beginTo],
    attempt_kind: ['text', ({ attempt }) => attempt?.kind],
    webhook_id: ['text', ({ attempt }) => attempt?.webhookId],
    entries: ['integer', ({ attempt }) => attempt?.entries],
    marker: ['uuid', ({ attempt }) => attempt?.marker],
    outcome: ['text', ({ attempt }) => attempt?.outcome],
    status: ['integer', ({ attempt }) => attempt?.status],
    duration: ['integer', ({ attempt }) => attempt?.durationMs],
  });
  return {
    name: 'push-store-steps',
    text: `
      with step as materialized (
        select step.*, s.kind,
          ${isAllowed(given, scopes)} as is_allowed
        from ${rows} join push_subscription s on s.id = step.id
      ),
      stored as (
        -- The address is compared under the lock: it may have changed since the statement began.
        update push_progress p
        set position = coalesce(i.confirmed, p.position),
          marker = case when i.confirmed is null then p.marker else i.confirmed_marker end,
          confirmed_at = case when i.confirmed is not null and i.outcome is not null
            then date_trunc('milliseconds', clock_timestamp()) else p.confirmed_at end,
          is_verified = p.is_verified or (i.is_verified and p.address = i.address),
          state = case when p.state = 'VERIFYING' and i.is_verified and p.address = i.address then 'ACTIVE' else p.state end,
          changed_at = case when p.state = 'VERIFYING' and i.is_verified and p.address = i.address
            then date_trunc('milliseconds', clock_timestamp()) else p.changed_at end,
          failing_since = case when p.address <> i.address then p.failing_since
            when i.wait is not null then coalesce(p.failing_since, date_trunc('milliseconds', clock_timestamp()))
            when i.outcome is not null then null else p.failing_since end,
          failures = case when p.address <> i.address then p.failures
            when i.wait is not null then p.failures + 1 when i.outcome is not null then 0 else p.failures end,
          next_attempt_at = case when i.wait is not null and p.address = i.address
            then now() + i.wait * interval '1 s' else p.next_attempt_at end,
          attempts = p.attempts + (i.outcome is not null)::integer,
          -- A delivery that has begun and failed is repeated as it is.
          sent_to = case when i.begin_to is not null then i.begin_to when i.confirmed is not null then null else p.sent_to end,
          sent_at = case when i.begin_to is null or i.begin_to is not distinct from p.sent_to and i.confirmed is null
            then p.sent_at else date_trunc('milliseconds', clock_timestamp()) end,
          leased_until = case when p.state = 'ACTIVE' and i.begin_to is not null and p.address = i.address and i.is_allowed
            then now() + interval '${LEASE_S} s' else '-infinity' end
        from step i
        where p.subscription_id = i.id and p.sender = ${given.add(sender, 'uuid')}
        returning p.subscription_id as id, p.attempts, p.sent_at, i.is_allowed, i.kind,
          p.leased_until > now() as begins
      ),
      logged as (
        insert into push_attempt (subscription_id, number, at, kind, webhook_id, entries, marker, outcome, status, duration_ms)
        select i.id, stored.attempts, date_trunc('milliseconds', clock_timestamp()), i.attempt_kind, i.webhook_id, i.entries,
          i.marker, i.outcome, i.status, i.duration
        from step i join stored using (id) where i.outcome is not null
      ),
      removed as (
        delete from push_attempt a using stored
        where a.subscription_id = stored.id and a.number <= stored.attempts - ${given.add(keptAttempts, 'integer')}
      )
      select id, begins, is_allowed as "isAllowed", sent_at as "sentAt" from stored`,
    values: given.values,
  };
}

/** Leaves everything that this server sends to others, when it ends. */
export function releaseAll(sender: string): Statement {
  return {
    name: 'push-release',
    text: `
      update push_progress set leased_until = '-infinity' where sender = $1 and leased_until > now()`,
    values: [sender],
  };
}

/** How many subscriptions there are of each state, how many fail, and how many entries wait for their receivers. */
export type PushFigures = {
  state: SubscriptionState;
  subscriptions: number;
  failing: number;
  lag: number;
};

export const selectPushFigures: Statement<PushFigures> = {
  name: 'push-figures',
  text: `
    select p.state, count(*)::integer as subscriptions, count(*) filter (where p.failures > 0)::integer as failing,
      coalesce(sum(greatest(coalesce(f.position, 0) - p.position, 0)), 0)::double precision as lag
    from push_progress p
    join push_subscription s on s.id = p.subscription_id
    left join feed_state f on f.kind = s.kind and f.owner = s.owner
    group by p.state`,
  values: [],
};
