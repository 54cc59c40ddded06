// Registers an ENS with all its house consignments, or changes it.
import type { EntrySummaryDeclarationResult, ValidationError } from '@landfall/contract';
import type { RegistrationContext } from '../routing/decision-context.js';
import type { DeclarationPrecondition } from './declaration-etag.js';
import type { DeclarationTurns } from './declaration-locks.js';
import { type IsCustomsOffice, readIncomingDeclaration } from './read-incoming.js';
import { type Registry, tryRegister } from './register.js';

/**
 * Replaces the whole declaration, or nothing if it breaks a rule.
 *
 * @param mrn a well-formed MRN
 * @throws DeclarationChangedError if it would change, and is not in the state of the precondition
 * @throws DatabaseUnavailableError if it is unknown whether it was registered
 * @throws OverloadedError if others have held the declaration or an organisation for too long
 */
export async function putEntrySummaryDeclaration(
  registry: Registry & { turns: DeclarationTurns },
  mrn: string,
  body: unknown,
  isCustomsOffice: IsCustomsOffice,
  context: RegistrationContext,
  precondition: DeclarationPrecondition,
): Promise<EntrySummaryDeclarationResult | { errors: readonly ValidationError[] }> {
  const read = readIncomingDeclaration(mrn, body, isCustomsOffice);
  if ('errors' in read) return read;
  const attempts = {};
  const [outcome] = await registry.turns.run(mrn, () =>
    tryRegister(registry, [read.incoming], context, { precondition, attempts }),
  );
  if (outcome === undefined) throw new Error('a registration has no outcome');
  return 'errors' in outcome ? outcome : { mrn, ...outcome };
}
