// The rules of an organisation beyond its schema, without those of its keys and certificates.
import type { ValidationError } from './errors.js';
import { partyOfNumber } from './identification-number.js';
import {
  DOMESTIC_ORGANISATION_PATTERN,
  DOMESTIC_ORGANISATION_PREFIX,
  type OrganisationClient,
  type OrganisationEntry,
  SEAL_CLIENT_PREFIX,
} from './organisation.js';
import { type ScopeName, scopes } from './scopes.js';

type Kind = OrganisationEntry['kind'];

const domesticPattern = new RegExp(DOMESTIC_ORGANISATION_PATTERN);

/** The client id of an eSeal, with the serial number in capitals or not. */
const sealPattern = new RegExp(`^${SEAL_CLIENT_PREFIX}[0-9a-f]+$`, 'i');

/** Whether a client id is that of an eSeal; capitals do not matter. */
export function isSealClientId(clientId: string): boolean {
  return clientId.toLowerCase().startsWith(SEAL_CLIENT_PREFIX);
}

/** The kind of organisation that an identifier belongs to. */
export function organisationKind(id: string): Kind {
  return id.startsWith(DOMESTIC_ORGANISATION_PREFIX) ? 'domestic' : 'foreign';
}

/**
 * Lists every rule that an organisation breaks beyond its schema.
 *
 * @param id the identifier in the address, which has the form of one
 * @example
 * checkOrganisationRules('0192:974760673', { name: 'Customs', kind: 'foreign' });
 * // [{ field: 'kind', error: 'must be domestic for 0192:974760673', code: 'FORMAT' }]
 */
export function checkOrganisationRules(id: string, entry: OrganisationEntry): ValidationError[] {
  const { kind, grantedScopes = [], identificationNumbers = [], clients = [] } = entry;
  return [
    ...checkIdentifier(id, entry),
    ...checkScopesOfKind(grantedScopes, kind, 'grantedScopes'),
    ...checkIdentificationNumbers(identificationNumbers),
    ...checkUniqueClients(clients),
    ...clients.flatMap((client, index) => [
      ...checkClientId(kind, client, `clients.${index}.client_id`),
      ...checkScopesOfKind(client.scopes ?? [], kind, `clients.${index}.scopes`),
    ]),
  ];
}

function checkIdentifier(id: string, entry: OrganisationEntry): ValidationError[] {
  const kind = organisationKind(id);
  const errors: ValidationError[] = [];
  if (kind === 'domestic' && !domesticPattern.test(id)) {
    errors.push({ field: 'id', error: "must be '0192:' and nine digits", code: 'FORMAT' });
  }
  if (kind !== entry.kind) {
    errors.push({ field: 'kind', error: `must be ${kind} for ${id}`, code: 'FORMAT' });
  }
  return 'id' in entry && entry.id !== id ? [...errors, notTheAddress('id')] : errors;
}

/** The error of a member that differs from the address that the message is put to. */
export function notTheAddress(field: string): ValidationError {
  return { field, error: 'must be the one in the address', code: 'FORMAT' };
}

/** Lists the scopes that an organisation of a kind cannot have. */
export function checkScopesOfKind(
  names: readonly ScopeName[],
  kind: Kind,
  field: string,
): ValidationError[] {
  return names.flatMap((name, index): ValidationError[] =>
    kind === 'foreign' && !scopes[name].foreign
      ? [
          {
            field: `${field}.${index}`,
            error: 'is not a scope for foreign businesses',
            code: 'UNKNOWN_CODE',
          },
        ]
      : [],
  );
}

function checkUniqueClients(clients: readonly OrganisationClient[]): ValidationError[] {
  return clients.flatMap(({ client_id: id }, index): ValidationError[] =>
    clients.findIndex(({ client_id: other }) => other === id) < index
      ? [{ field: `clients.${index}.client_id`, error: 'must not be given twice', code: 'FORMAT' }]
      : [],
  );
}

/** A number that names an organisation by itself is refused: whoever registered it would believe that it names theirs. */
function checkIdentificationNumbers(numbers: readonly string[]): ValidationError[] {
  const seen = new Set<string>();
  return numbers.flatMap((number, index): ValidationError[] => {
    const field = `identificationNumbers.${index}`;
    const party = partyOfNumber(number);
    if ('organisation' in party) {
      const error = `must be left out: it names ${party.organisation}, whoever registers it`;
      return [{ field, error, code: 'FORMAT' }];
    }
    if (seen.has(party.registeredNumber)) {
      return [{ field, error: 'must not be given twice', code: 'FORMAT' }];
    }
    seen.add(party.registeredNumber);
    return [];
  });
}

/** A block that no token could ever meet is refused: whoever wrote it believes that it holds. */
function checkClientId(
  kind: Kind,
  { client_id: id, blocked = false }: OrganisationClient,
  field: string,
): ValidationError[] {
  if (kind === 'domestic' && isSealClientId(id)) {
    return [
      {
        field,
        error: `must not begin with ${SEAL_CLIENT_PREFIX}: eSeals are of foreign businesses`,
        code: 'FORMAT',
      },
    ];
  }
  if (kind === 'foreign' && blocked && !sealPattern.test(id)) {
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
