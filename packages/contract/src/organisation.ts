// Organisations as the authority keeps them: what each is granted and by which clients it calls. Wire contract, section 7.
import { type Static, Type } from 'typebox';
import { type ScopeName, scopes } from './scopes.js';
import { ONE_LINE_PATTERN } from './transport-document.js';

/** A domestic organisation as tokens name it: the ISO 6523 code of the national register, and the number. */
export const DOMESTIC_ORGANISATION_PATTERN = '^0192:[0-9]{9}$';

/** The start of every domestic organisation's identifier. */
export const DOMESTIC_ORGANISATION_PREFIX = '0192:';

/**
 * An organisation named by others: as it is known by, where the national register's prefix is followed by its nine
 * digits and by nothing else.
 */
export const PARTY_PATTERN = '^(?!0192:(?![0-9]{9}$))(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$';

const Line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: ONE_LINE_PATTERN, description });

/** An organisation as tokens name it. */
export const OrganisationIdentifier = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: ONE_LINE_PATTERN,
  description: "`0192:<organisation number>`, or the eSeal's organizationIdentifier as it stands",
  examples: ['0192:974760673', 'NTRDE-HRB000001'],
});

const ScopeNames = (description: string) =>
  Type.Array(Type.Enum(Object.keys(scopes) as ScopeName[]), { maxItems: 100, description });

const KeyText = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** Members of a public key that are kept (RFC 7517, RFC 7518); what else it has is ignored, unless it is secret. */
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
  { additionalProperties: true },
);

/** A client by which an organisation asks the identity provider for tokens. */
export const OrganisationClient = Type.Object(
  {
    client_id: Line(200, 'What the client calls itself in `iss`; unique among all organisations'),
    scopes: Type.Optional(
      ScopeNames(
        'What the client may ask the identity provider for, in the plain form; left out: whatever its organisation is granted',
      ),
    ),
    certificates: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 16_384 }), {
        maxItems: 20,
        description: 'Certificates accepted as `x5c` leaf without their chain: base64 DER',
      }),
    ),
    keys: Type.Optional(
      Type.Array(PublicKey, {
        maxItems: 20,
        description:
          'Public keys (RFC 7517), each with a `kid`; `exp`, in seconds since 1970, ends one',
      }),
    ),
    blocked: Type.Optional(
      Type.Boolean({ description: 'No tokens, and those it has are refused' }),
    ),
  },
  { $id: 'OrganisationClient' },
);
export type OrganisationClient = Static<typeof OrganisationClient>;

const members = {
  name: Line(200, "The organisation's name"),
  kind: Type.Enum(['domestic', 'foreign'], {
    description: '`domestic` exactly when the identifier begins with `0192:`',
  }),
};

/** What is said of an organisation; what is left out is none, or `false`. */
export const OrganisationEntry = Type.Object(
  {
    ...members,
    grantedScopes: Type.Optional(
      ScopeNames('What the authority grants: scopes in the plain form without prefix'),
    ),
    clients: Type.Optional(Type.Array(OrganisationClient, { maxItems: 100 })),
    blocked: Type.Optional(
      Type.Boolean({ description: 'No tokens, and those it has are refused' }),
    ),
  },
  { $id: 'OrganisationEntry' },
);
export type OrganisationEntry = Static<typeof OrganisationEntry>;

/** An organisation as it stands. */
export const Organisation = Type.Object(
  {
    id: OrganisationIdentifier,
    ...members,
    grantedScopes: ScopeNames('What the authority grants'),
    clients: Type.Array(OrganisationClient),
    blocked: Type.Boolean(),
  },
  { $id: 'Organisation' },
);
export type Organisation = Static<typeof Organisation>;
