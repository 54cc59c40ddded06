// SQL that locks the feeds that a batch of presentations may append to, in one order for all writers, so that none waits
// for another in a circle. Each is a statement of its own, because the next one must see what those before it had
// committed, and leaves word of the organisations whose feeds are locked.
import type { PresentationPath } from '@landfall/contract';
import { takeChain } from '../audit/queries.js';
import type { Statement } from '../database/database.js';
import { FEED_LOCK, LARGE_LOCK } from '../database/locks.js';
import { declarationJoins } from './references.js';
import type { PresentationRequest } from './submission.js';

/**
 * The organisations whose feeds the statement before this one has locked: an expression of an array, which is read once.
 * With the outer cast it is the array that `any` is given, not a query.
 */
export const lockedOrganisations = `(select current_setting('landfall.locked')::integer[])::integer[]`;

/** Whether the feeds of a `declarant` and a `representative`, as far as there are any, are locked: an expression. */
export const partiesLocked = `(
  coalesce(declarant = any(${lockedOrganisations}), true)
  and coalesce(representative = any(${lockedOrganisations}), true))`;

/** Takes a chain of the audit trail when the feeds are locked, and leaves word of whose they are. */
const leaveWord = `
  select set_config('landfall.locked', coalesce(array_agg(organisation)::text, '{}'), true) as locked, ${takeChain} as chain
  from locked`;

/**
 * Locks the feeds of organisations; for small presentations, which wait for nobody long: an organisation is passed by
 * while a large presentation holds its feed.
 *
 * @param organisations their numbers, rising
 */
export function lockFeedsOf(organisations: readonly number[]): Statement {
  return {
    name: 'lock-feeds-of',
    text: `
      with free as materialized (
        select organisation from unnest($1::integer[]) as asked (organisation)
        where pg_try_advisory_xact_lock_shared(${LARGE_LOCK}, organisation)
      ),
      locked as materialized (
        select organisation from free where pg_advisory_xact_lock(${FEED_LOCK}, organisation) is not null
      )
      ${leaveWord}`,
    values: [organisations],
  };
}

/**
 * Locks the feeds of all who are concerned by requests: presenters, and the declarants and representatives of what
 * they refer to, which it looks up. It waits for each of them.
 * Small presentations pass these organisations by while a level that may reach very many holds them.
 */
export function lockFeedsReached(
  path: PresentationPath,
  requests: readonly PresentationRequest[],
): Statement {
  const queue =
    path === 'house-consignment' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  const references = requests.map(({ submission }) => submission.reference);
  return {
    name: `lock-feeds-reached-${path}`,
    text: `
      with request as materialized (
        select * from unnest($1::integer[], $2::text[], $3::text[], $4::text[])
          as request (presenter, reference, document_type, mrn)
      ),
      declaration as materialized (
        select distinct e.declarant, e.representative from request r ${declarationJoins[path]}
      ),
      concerned as (
        select presenter as organisation from request
        union select declarant from declaration
        union select representative from declaration where representative is not null
      ),
      queued as materialized (
        select organisation from (select organisation from concerned order by organisation) in_order
        where ${queue}(${LARGE_LOCK}, organisation) is not null
      ),
      locked as materialized (
        select organisation from (select organisation from queued order by organisation) in_order
        where pg_advisory_xact_lock(${FEED_LOCK}, organisation) is not null
      )
      ${leaveWord}`,
    values: [
      requests.map(({ organisationId }) => organisationId),
      references.map((reference) => reference?.identifier),
      references.map((reference) => reference?.documentType),
      references.map((reference) => reference?.mrn),
    ],
  };
}
