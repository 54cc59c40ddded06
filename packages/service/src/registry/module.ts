// What the registry adds to a service.
import { makeNewId } from '../new-id.js';
import type { ServiceContext } from '../service-context.js';
import { DeclarationTurns } from './declaration-locks.js';
import { addRegistryRoutes, type RegistryContext } from './routes.js';

export function addRegistry(
  { config, database, audit, http }: ServiceContext,
  rules: Pick<RegistryContext, 'profiles' | 'isCustomsOffice' | 'arrived'>,
): { turns: DeclarationTurns } {
  // Ids of house consignments have the time at which they were registered.
  const newId = makeNewId(() => http.clock().getTime());
  const turns = new DeclarationTurns(database);
  addRegistryRoutes(http, {
    database,
    audit,
    newId,
    turns,
    ...rules,
    rules: { needsSecondOfficer: config.fourEyesRelease === 'on' },
    expectedOnly: config.presenters === 'expected',
  });
  return { turns };
}
