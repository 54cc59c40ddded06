// Registers an ENS with all its house consignments, or changes it.
import type { EntrySummaryDeclarationResult, ValidationError } from '@landfall/contract';
import type { RegistrationContext } from '../routing/decision-context.js';
import { type IsCustomsOffice, readIncomingDeclaration } from './read-incoming.js';
import { type Registry, register } from './register.js';

/**
 * Replaces the whole declaration, or nothing if it breaks a rule.
 *
 * @param mrn a well-formed MRN
 * @throws DatabaseUnavailableError if it is unknown whether it was registered
 */
export async function putEntrySummaryDeclaration(
  registry: Registry,
  mrn: string,
  body: unknown,
  isCustomsOffice: IsCustomsOffice,
  context: RegistrationContext,
): Promise<EntrySummaryDeclarationResult | { errors: readonly ValidationError[] }> {
  const read = readIncomingDeclaration(mrn, body, isCustomsOffice);
  if ('errors' in read) return read;
  const [outcome] = await register(registry, [read.incoming], context);
  if (outcome === undefined) throw new Error('a registration has no outcome');
  return 'errors' in outcome ? outcome : { mrn, ...outcome };
}
