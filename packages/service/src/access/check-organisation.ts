// The rules for an organisation beyond its schema; all broken ones are reported together.
import {
  DOMESTIC_ORGANISATION_PATTERN,
  DOMESTIC_ORGANISATION_PREFIX,
  type OrganisationClient,
  type OrganisationEntry,
  SEAL_CLIENT_PREFIX,
  scopes,
  type ValidationError,
} from '@landfall/contract';
import { certificateKey, domesticOrganisation, isStrong, readCertificate } from './certificate.js';
import { checkKey } from './check-key.js';
import { isOrganisationIdentifier } from './organisation-identifier.js';
import { isSealClientId } from './token-parties.js';

const domesticPattern = new RegExp(DOMESTIC_ORGANISATION_PATTERN);

/** The client id of an eSeal, with the serial number in capitals or not. */
const sealPattern = new RegExp(`^${SEAL_CLIENT_PREFIX}[0-9a-f]+$`, 'i');

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
  {
    client_id: clientId,
    scopes: names = [],
    certificates = [],
    keys = [],
    blocked,
  }: OrganisationClient,
  field: string,
): ValidationError[] {
  return [
    ...checkClientId(kind, clientId, blocked === true, `${field}.client_id`),
    ...checkForeignScopes(names, kind, `${field}.scopes`),
    ...certificates.flatMap((text, index) =>
      checkCertificate(id, kind, text, `${field}.certificates.${index}`),
    ),
    ...keys.flatMap((key, index) => checkKey(key, keys, `${field}.keys.${index}`)),
  ];
}

/** A block that no token could ever meet is refused: whoever wrote it believes that it holds. */
function checkClientId(
  kind: OrganisationEntry['kind'],
  clientId: string,
  blocked: boolean,
  field: string,
): ValidationError[] {
  if (kind === 'domestic' && isSealClientId(clientId)) {
    return [
      {
        field,
        error: `must not begin with ${SEAL_CLIENT_PREFIX}: eSeals are of foreign businesses`,
        code: 'FORMAT',
      },
    ];
  }
  if (kind === 'foreign' && blocked && !sealPattern.test(clientId)) {
    return [
      {
        field,
        error: `must be ${SEAL_CLIENT_PREFIX} and the serial number of the eSeal, hexadecimal without separators: tokens of foreign businesses name no other client, so the block would meet nobody`,
        code: 'FORMAT',
      },
    ];
  }
  return [];
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
