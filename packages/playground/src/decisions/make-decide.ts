// Makes decisions through the service, in the name of the authority.
import { playgroundIdentities } from '@landfall/contract';
import type { App, Database } from '@landfall/service/assembly';
import type { Decide } from './decision-schedule.js';
import { findOrganisationNumber } from './queries.js';

/** The organisation in whose name the playground decides, and its number. The identity must be registered. */
export async function findAuthority(
  database: Database,
): Promise<{ identifier: string; number: number }> {
  const identity = playgroundIdentities.find(({ name }) => name === 'authority');
  const identifier = identity?.organisation ?? '';
  const [row] = await database.query(findOrganisationNumber(identifier));
  if (row === undefined) throw new Error('the organisation of the authority does not exist');
  return { identifier, number: row.id };
}

/** The client that makes the decisions. */
export const DECIDING_CLIENT = 'playground-authority';

/**
 * @param authority decides
 * @param service is called when there is something to decide
 */
export function makeDecide(
  { identifier, number }: Awaited<ReturnType<typeof findAuthority>>,
  newId: () => string,
  service: () => Pick<App, 'decide'> | undefined,
): Decide {
  return async (decisions, at) => {
    const outcomes = await service()?.decide(decisions, {
      at,
      origin: 'ENGINE',
      organisationId: number,
      organisation: identifier,
      clientId: DECIDING_CLIENT,
      requestId: newId(),
    });
    return outcomes ?? [];
  };
}
