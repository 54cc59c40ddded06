// Organisations with their granted scopes and their clients.
import { type Static, Type } from 'typebox';
import { IdentificationNumbers } from './identification-number.js';
import { INVISIBLE_IN_IDENTIFIERS } from './invisible-characters.js';
import { keysOf } from './keys-of.js';
import { pageLimit } from './paging.js';
import { definePattern, Identifier, OneLine } from './patterns.js';
import { scopes } from './scopes.js';

/** A domestic organisation in tokens: the ISO 6523 code of the national register, and its number. */
export const DOMESTIC_ORGANISATION_PATTERN = '^0192:[0-9]{9}$';

/** The start of every domestic organisation's identifier. */
export const DOMESTIC_ORGANISATION_PREFIX = '0192:';

/** An organisation that a declaration names: after the prefix of the national register, only nine digits are accepted. */
export const PARTY_PATTERN = definePattern(
  `^(?!0192:(?![0-9]{9}$))(?=\\S)(?!.*\\s$)[^${INVISIBLE_IN_IDENTIFIERS}]*$`,
  "must be '0192:' and nine digits, or an eSeal's organizationIdentifier on one line, without blanks at its ends",
);

/** Client ids are compared by their characters, so only those are accepted that look different from each other. */
export const CLIENT_ID_PATTERN = definePattern(
  '^[\\u0021-\\u007e]+$',
  'must be printable ASCII without blanks',
);

/** The maximum length of a client id, in characters. */
export const MAX_CLIENT_ID_LENGTH = 200;

/** The start of the client id of an eSeal, before its serial number in hexadecimal. */
export const SEAL_CLIENT_PREFIX = 'eidas-';

/** The identifier of an organisation in tokens. */
export const OrganisationIdentifier = Identifier(
  100,
  "`0192:<organisation number>`, or the eSeal's organizationIdentifier, unchanged",
  ['0192:974760673', 'NTRDE-HRB000001'],
);

/** A scope in its plain form. */
export const Scope = Type.Enum(keysOf(scopes), {
  $id: 'Scope',
  description: 'A scope in its plain form, without prefix',
});

const ScopeNames = (description: string) => Type.Array(Scope, { maxItems: 100, description });

const KeyText = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** The members of a public key that are stored (RFC 7517, RFC 7518). Others are ignored; secret members are refused. */
const PublicKey = Type.Object(
  {
    kty: KeyText(20),
    kid: KeyText(200),
    alg: KeyText(20),
    use: KeyText(20),
    crv: KeyText(20),
    x: KeyText(200),
    y: KeyText(200),
    n: KeyText(4096),
    e: KeyText(200),
    exp: Type.Optional(Type.Number()),
  },
  { $id: 'PublicKey', description: 'A public key (RFC 7517)', additionalProperties: true },
);

/** A client with which an organisation requests tokens from the identity provider. */
export const OrganisationClient = Type.Object(
  {
    client_id: Type.String({
      minLength: 1,
      maxLength: MAX_CLIENT_ID_LENGTH,
      pattern: CLIENT_ID_PATTERN,
      description:
        'The `client_id` of its tokens, and the `iss` of its grants; unique among all organisations. Of an eSeal: `eidas-` and the serial number in hexadecimal, unique within its organisation',
      examples: ['2b0c5f2e-6a41-4f4e-9f57-3a6a0f1d8c55', 'eidas-4d2a01'],
    }),
    scopes: Type.Optional(
      ScopeNames(
        'The scopes that the client may request from the identity provider, in the plain form; default: all that its organisation is granted',
      ),
    ),
    certificates: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 16_384 }), {
        maxItems: 20,
        description:
          'Certificates that are accepted as the leaf of `x5c` without their chain: base64 DER',
      }),
    ),
    keys: Type.Optional(
      Type.Array(PublicKey, {
        maxItems: 20,
        description:
          'Public keys (RFC 7517), each with a `kid`. A key expires at `exp`, in seconds since 1970',
      }),
    ),
    blocked: Type.Optional(
      Type.Boolean({
        description:
          'Gets no tokens, and existing tokens are refused, whichever organisation they are for. Capitals in the id do not matter. A client that is missing from a later `PUT` is refused too, until it is registered again',
      }),
    ),
  },
  { $id: 'OrganisationClient', description: 'A client with which an organisation requests tokens' },
);
export type OrganisationClient = Static<typeof OrganisationClient>;

const OrganisationKind = Type.Enum(['domestic', 'foreign'], {
  $id: 'OrganisationKind',
  description: '`domestic` exactly if the identifier begins with `0192:`',
});

const members = {
  name: OneLine(200, "The organisation's name"),
  kind: OrganisationKind,
};

/** An organisation as it is stored with `PUT`. Absent lists are empty, and absent flags are `false`. */
export const OrganisationEntry = Type.Object(
  {
    id: Type.Optional(OrganisationIdentifier),
    ...members,
    grantedScopes: Type.Optional(
      ScopeNames('The granted scopes, in the plain form without prefix'),
    ),
    identificationNumbers: Type.Optional(IdentificationNumbers),
    clients: Type.Optional(Type.Array(OrganisationClient, { maxItems: 100 })),
    blocked: Type.Optional(
      Type.Boolean({ description: 'Gets no tokens, and existing tokens are refused' }),
    ),
    etag: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'As it was read, it has the effect of `If-Match` if that header is not sent',
      }),
    ),
  },
  {
    $id: 'OrganisationEntry',
    description: 'An organisation to store. Absent lists are empty, and absent flags are `false`',
  },
);
export type OrganisationEntry = Static<typeof OrganisationEntry>;

/** A change of some members of an organisation. */
export const OrganisationPatch = Type.Partial(OrganisationEntry, {
  $id: 'OrganisationPatch',
  description:
    'Members of an organisation to change (RFC 7396). A list is replaced whole; `null` is an empty list, or `false`. What is not named stays as it is',
});
export type OrganisationPatch = Static<typeof OrganisationPatch>;

/** An organisation in its current state. */
export const Organisation = Type.Object(
  {
    id: OrganisationIdentifier,
    ...members,
    grantedScopes: ScopeNames('The granted scopes'),
    identificationNumbers: IdentificationNumbers,
    clients: Type.Array(OrganisationClient),
    blocked: Type.Boolean(),
    etag: Type.String({
      description:
        'Another one after each change: sent as `If-Match`, or as this member, it replaces only this state',
      examples: ['"yJdsWQqSdnGKUNI0dc0Rfw"'],
    }),
  },
  { $id: 'Organisation', description: 'An organisation with its granted scopes and clients' },
);
export type Organisation = Static<typeof Organisation>;

/** An organisation in a list. */
export const OrganisationSummary = Type.Object(
  {
    id: OrganisationIdentifier,
    ...members,
    grantedScopes: ScopeNames('The granted scopes'),
    identificationNumbers: IdentificationNumbers,
    blocked: Type.Boolean(),
  },
  { $id: 'OrganisationSummary', description: 'An organisation without its clients' },
);
export type OrganisationSummary = Static<typeof OrganisationSummary>;

/** The query of the list of organisations. */
export const OrganisationQuery = Type.Object({
  marker: Type.Optional(
    Identifier(100, 'The id of the last organisation that was read; the page begins after it'),
  ),
  limit: pageLimit,
});
export type OrganisationQuery = Static<typeof OrganisationQuery>;

/** The name of an organisation. */
export const OrganisationName = Type.Object(
  { id: OrganisationIdentifier, name: members.name },
  { $id: 'OrganisationName', description: 'The name of an organisation' },
);
export type OrganisationName = Static<typeof OrganisationName>;

/** How many organisations a request names at most. */
export const MAX_NAMED_ORGANISATIONS = 50;

const NAMED_PATTERN = definePattern(
  `^[^,]{1,100}(,[^,]{1,100}){0,${MAX_NAMED_ORGANISATIONS - 1}}$`,
  `must be the ids of 1 to ${MAX_NAMED_ORGANISATIONS} organisations, separated by commas`,
);

/** The query of the names of organisations. */
export const OrganisationNamesQuery = Type.Object({
  ids: Type.String({
    pattern: NAMED_PATTERN,
    maxLength: 101 * MAX_NAMED_ORGANISATIONS,
    description: `The ids of at most ${MAX_NAMED_ORGANISATIONS} organisations, separated by commas`,
    examples: ['0192:974760673,NTRDE-HRB000001'],
  }),
});
export type OrganisationNamesQuery = Static<typeof OrganisationNamesQuery>;
