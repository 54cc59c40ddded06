// Finds the caller for somebody who was identified without a token, such as by a session of the console.
import type { ParsedScope, ScopeName } from '@landfall/contract';
import { type Caller, InvalidTokenError } from '../http/caller.js';
import { isAllowedNow, type OrganisationLookup } from './organisation-lookup.js';
import type { OrganisationRow } from './queries.js';

/** Somebody who was identified without a token. */
export type Identified = {
  /** The organisation as tokens name it, such as `0192:974760673`. */
  organisation: string;
  /** The client of the organisation, or the person, as the audit trail names it. */
  clientId: string;
  /** The most that the caller may do; of these, what is granted to the organisation now. */
  scopes: readonly ScopeName[];
  /** When the identification ends, in seconds since 1970. */
  expiresAt: number;
  /** Whether the identification has not ended yet. */
  isCurrent(): Promise<boolean>;
};

/**
 * Finds the caller; synchronously where the organisation is cached. A grant that is taken away is missing within a
 * minute. Throws InvalidTokenError, when the organisation or the client is blocked or not registered, and
 * DatabaseUnavailableError.
 */
export type FindCaller = (identified: Identified) => Caller | Promise<Caller>;

/** Makes the function that finds callers. */
export function makeFindCaller(
  organisations: Pick<OrganisationLookup, 'cached' | 'refresh' | 'recent'>,
): FindCaller {
  const callerOf = (identified: Identified, row: OrganisationRow | undefined): Caller => {
    const { organisation, clientId, scopes, expiresAt } = identified;
    if (row === undefined || row.blocked) {
      throw new InvalidTokenError(`${organisation} is blocked or no longer registered`);
    }
    return {
      organisationId: row.id,
      organisation,
      clientId,
      isPerson: true,
      scopes: grantedNow(scopes, row),
      expiresAt,
      stillAllowed: async (access) => {
        if (!(await identified.isCurrent())) return false;
        const now = await organisations.recent(identified);
        return isAllowedNow(now, row.id, (each) => grantedNow(scopes, each), access);
      },
    };
  };
  return (identified) => {
    const row = organisations.cached(identified);
    if (row !== undefined) return callerOf(identified, row);
    return organisations.refresh(identified).then((found) => callerOf(identified, found));
  };
}

/** The scopes that are granted now, in the form that the organisation's kind has. */
function grantedNow(scopes: readonly ScopeName[], row: OrganisationRow): ParsedScope[] {
  const foreign = row.kind === 'foreign';
  return scopes.filter((name) => row.granted.includes(name)).map((name) => ({ name, foreign }));
}
