// The rules for an organisation beyond its schema, with those of its keys and certificates; all broken ones are reported together.
import {
  checkOrganisationRules,
  type Organisation,
  type OrganisationEntry,
  type ValidationError,
} from '@landfall/contract';
import { certificateKey, domesticOrganisation, isStrong, readCertificate } from './certificate.js';
import { checkKey } from './check-key.js';
import { isOrganisationIdentifier } from './organisation-identifier.js';

/** Lists every broken rule. */
export function checkOrganisation(id: string, entry: OrganisationEntry): ValidationError[] {
  if (!isOrganisationIdentifier(id)) {
    return [{ field: 'id', error: 'must be one line of 1 to 100 characters', code: 'FORMAT' }];
  }
  const credentials = (entry.clients ?? []).flatMap(({ certificates = [], keys = [] }, index) => [
    ...certificates.flatMap((text, number) =>
      checkCertificate(id, entry.kind, text, `clients.${index}.certificates.${number}`),
    ),
    ...keys.flatMap((key, number) => checkKey(key, keys, `clients.${index}.keys.${number}`)),
  ]);
  return [...checkOrganisationRules(id, entry), ...credentials];
}

/**
 * Lists the blocks that a replacement would end by leaving out a client: a block meets a client with every organisation,
 * and a client that is not in the list only with its own. Other capitals are no other client, as for blocks.
 */
export function checkBlocksKept(
  before: Pick<Organisation, 'id' | 'clients'>,
  { clients = [], blocked = false }: OrganisationEntry,
): ValidationError[] {
  const kept = new Set(clients.map(({ client_id: id }) => id));
  const blockedIds = new Set(
    clients.filter((client) => client.blocked).map(({ client_id: id }) => id.toLowerCase()),
  );
  const removed = before.clients.filter(
    ({ client_id: id }) => !kept.has(id) && !blockedIds.has(id.toLowerCase()),
  );
  const rules = removed
    .filter((client) => client.blocked)
    .map(({ client_id: id }) => `${id} is blocked: keep it in the list, or unblock it first`);
  if (blocked && removed.length > 0) {
    const ids = removed.map(({ client_id: id }) => id).join(', ');
    rules.push(`${before.id} is blocked: keep ${ids} in the list, or unblock it first`);
  }
  return rules.map((error) => ({ field: 'clients', error, code: 'REQUIRED' }));
}

function checkCertificate(
  id: string,
  kind: OrganisationEntry['kind'],
  text: string,
  field: string,
): ValidationError[] {
  const certificate = readCertificate(text);
  if (certificate === undefined) {
    return [{ field, error: 'must be a certificate: base64 DER', code: 'FORMAT' }];
  }
  if (!isStrong(certificateKey(certificate))) {
    return [{ field, error: 'must have an RSA key of 2048 bits or more', code: 'FORMAT' }];
  }
  if (kind === 'domestic' && domesticOrganisation(certificate) !== id) {
    return [{ field, error: `must be made out to ${id}`, code: 'FORMAT' }];
  }
  return [];
}
