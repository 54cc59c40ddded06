// The rules for an organisation beyond its schema; all broken ones are reported together.
import {
  DOMESTIC_ORGANISATION_PATTERN,
  DOMESTIC_ORGANISATION_PREFIX,
  type OrganisationClient,
  type OrganisationEntry,
  scopes,
  type ValidationError,
} from '@landfall/contract';
import { certificateKey, domesticOrganisation, isStrong, readCertificate } from './certificate.js';
import { checkKey } from './check-key.js';
import { isOrganisationIdentifier } from './organisation-identifier.js';

const domesticPattern = new RegExp(DOMESTIC_ORGANISATION_PATTERN);

/** Lists every broken rule. */
export function checkOrganisation(id: string, entry: OrganisationEntry): ValidationError[] {
  const clients = entry.clients ?? [];
  return [
    ...checkIdentifier(id, entry),
    ...checkForeignScopes(entry.grantedScopes ?? [], entry.kind, 'grantedScopes'),
    ...checkUnique(clients),
    ...clients.flatMap((client, index) => checkClient(id, entry.kind, client, `clients.${index}`)),
  ];
}

function checkIdentifier(id: string, entry: OrganisationEntry): ValidationError[] {
  const errors: ValidationError[] = [];
  const domestic = id.startsWith(DOMESTIC_ORGANISATION_PREFIX);
  if (!isOrganisationIdentifier(id)) {
    return [{ field: 'id', error: 'must be one line of 1 to 100 characters', code: 'FORMAT' }];
  }
  if (domestic && !domesticPattern.test(id)) {
    errors.push({ field: 'id', error: "must be '0192:' and nine digits", code: 'FORMAT' });
  }
  if (domestic !== (entry.kind === 'domestic')) {
    const kind = domestic ? 'domestic' : 'foreign';
    errors.push({ field: 'kind', error: `must be ${kind} for ${id}`, code: 'FORMAT' });
  }
  if ('id' in entry && entry.id !== id) {
    errors.push({ field: 'id', error: 'must be the one in the address', code: 'FORMAT' });
  }
  return errors;
}

function checkForeignScopes(
  names: readonly (keyof typeof scopes)[],
  kind: OrganisationEntry['kind'],
  field: string,
): ValidationError[] {
  return names.flatMap((name, index) =>
    kind === 'foreign' && !scopes[name].foreign
      ? [
          {
            field: `${field}.${index}`,
            error: 'is not a scope for foreign businesses',
            code: 'UNKNOWN_CODE' as const,
          },
        ]
      : [],
  );
}

function checkUnique(clients: readonly OrganisationClient[]): ValidationError[] {
  return clients.flatMap(({ client_id: id }, index) =>
    clients.findIndex(({ client_id: other }) => other === id) < index
      ? [
          {
            field: `clients.${index}.client_id`,
            error: 'must not be given twice',
            code: 'FORMAT' as const,
          },
        ]
      : [],
  );
}

function checkClient(
  id: string,
  kind: OrganisationEntry['kind'],
  { scopes: names = [], certificates = [], keys = [] }: OrganisationClient,
  field: string,
): ValidationError[] {
  return [
    ...checkForeignScopes(names, kind, `${field}.scopes`),
    ...certificates.flatMap((text, index) =>
      checkCertificate(id, kind, text, `${field}.certificates.${index}`),
    ),
    ...keys.flatMap((key, index) => checkKey(key, keys, `${field}.keys.${index}`)),
  ];
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
