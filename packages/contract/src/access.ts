// Access: the two exchanges that end in a customs token.
import { type Static, Type } from 'typebox';

export const JWT_BEARER_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Exchange grant types: the short name of the national API and the one of RFC 8693. */
export const TOKEN_EXCHANGE_GRANTS = [
  'token-exchange',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;

/** Subject token types: the short name of the national API and the one of RFC 8693. */
export const ACCESS_TOKEN_TYPES = [
  'access_token',
  'urn:ietf:params:oauth:token-type:access_token',
] as const;

/** Signature algorithms of grants. */
export const GRANT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

/** Maximum time from `iat` to `exp` of a grant, in seconds. */
export const GRANT_LIFETIME_LIMIT = 120;

/** Maximum time from `iat` to `exp` of an identity provider's token, in seconds: one day. */
export const SUBJECT_TOKEN_LIFETIME_LIMIT = 86_400;

/** The path of the playground's own identity provider. */
export const IDENTITY_PROVIDER_PATH = '/idp';

/** Maximum difference between clocks, in seconds. */
export const CLOCK_SKEW = 10;

/** The form that a client posts to the identity provider. */
export const GrantRequest = Type.Object(
  {
    grant_type: Type.String({ description: `\`${JWT_BEARER_GRANT}\`` }),
    assertion: Type.String({ description: 'The signed JWT grant' }),
  },
  {
    $id: 'GrantRequest',
    description: 'The request for a token of the identity provider (RFC 7523)',
  },
);
export type GrantRequest = Static<typeof GrantRequest>;

/** The identity provider's response. */
export const AccessToken = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
    scope: Type.String({ description: 'Space-separated' }),
  },
  { $id: 'AccessToken', description: 'A token of the identity provider' },
);
export type AccessToken = Static<typeof AccessToken>;

/** The form that a client posts to the exchange. */
export const ExchangeRequest = Type.Object(
  {
    grant_type: Type.String({ description: TOKEN_EXCHANGE_GRANTS.join(' or ') }),
    subject_token_type: Type.String({ description: ACCESS_TOKEN_TYPES.join(' or ') }),
    subject_token: Type.String({
      description: `The identity provider's access token: a JWT of the type \`at+jwt\`, \`JWT\` or none, valid for at most ${SUBJECT_TOKEN_LIFETIME_LIMIT} s`,
    }),
    scope: Type.Optional(
      Type.String({
        description: 'Some of the scopes of the subject token, space-separated; default: all',
      }),
    ),
    requested_token_type: Type.Optional(
      Type.String({ description: ACCESS_TOKEN_TYPES.join(' or ') }),
    ),
    audience: Type.Optional(
      Type.String({ description: "The service's address; any other is `invalid_target`" }),
    ),
    resource: Type.Optional(
      Type.String({ description: "The service's address; any other is `invalid_target`" }),
    ),
  },
  { $id: 'ExchangeRequest', description: 'The request for a customs token (RFC 8693)' },
);
export type ExchangeRequest = Static<typeof ExchangeRequest>;

/** The customs token. */
export const CustomsToken = Type.Object(
  {
    issued_token_type: Type.String({
      description: 'In the same form as `subject_token_type`',
    }),
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
  },
  { $id: 'CustomsToken', description: 'A customs token' },
);
export type CustomsToken = Static<typeof CustomsToken>;

const JsonWebKey = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'JsonWebKey',
  description: 'A public key (RFC 7517)',
});

/** A public key set (RFC 7517). */
export const JsonWebKeySet = Type.Object(
  { keys: Type.Array(JsonWebKey) },
  { $id: 'JsonWebKeySet', description: 'A public key set (RFC 7517)' },
);

/** Metadata of the identity provider (RFC 8414). */
export const AuthorizationServerMetadata = Type.Object(
  {
    issuer: Type.String(),
    token_endpoint: Type.String(),
    jwks_uri: Type.String(),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    token_endpoint_auth_signing_alg_values_supported: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
  },
  {
    $id: 'AuthorizationServerMetadata',
    description: 'Metadata of the identity provider (RFC 8414)',
  },
);
