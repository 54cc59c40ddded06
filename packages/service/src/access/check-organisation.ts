// The rules for an organisation beyond its schema, with those of its keys and certificates; all broken ones are reported together.
import {
  checkOrganisationRules,
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
