// Every code that an answer of the service can carry, with its meaning: the one place to look a code up.
import { type Static, Type } from 'typebox';
import { keysOf } from './keys-of.js';

/** Codes of a validation error, with when each is given. Wire contract, section 2. */
export const validationErrorCodes = {
  REQUIRED: 'a required member is missing or blank',
  FORMAT: 'wrong type, pattern, date-time, UUID or check digit',
  SIZE: 'a text or list is shorter or longer than allowed',
  UNKNOWN_CODE: 'not in its code list (CL754, CL141)',
  REQUEST_ID_REUSED: 'this organisation has used this requestId before',
  REFERENCE_NOT_FOUND:
    'the entry summary declaration, receptacle, container or transport document is not pre-notified',
  REFERENCE_AMBIGUOUS:
    'the transport document stands under more than one entry summary declaration: give mrn too',
  PRESENTED: 'it would change or withdraw what is presented',
  TAKEN: 'an identifier that belongs to another organisation',
  UNKNOWN_MARKER: 'a marker that this organisation never received',
  MARKER_EXPIRED:
    'a marker that is older than what the stream keeps: start again from the current goods items (`/current`)',
  UNKNOWN_MEMBER: 'a member that a goods-item message does not have',
  EVENT_ID_REUSED: 'this eventId was published before with other content',
} as const;

/** The code of a validation error, for programs. */
export type ValidationErrorCode = keyof typeof validationErrorCodes;

/** One broken rule: where it is broken, a sentence for a person and a code for programs. */
export const ValidationError = Type.Object(
  {
    index: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Goods items: which message of the request, counted from 0; blank lines are not counted',
      }),
    ),
    eventId: Type.Optional(
      Type.String({ description: 'Goods items: the eventId of that message, if it has one' }),
    ),
    field: Type.String({
      description: 'Path of the member, from the root of the body or the message, or in the query',
    }),
    error: Type.String({ description: 'What is wrong, for a person' }),
    code: Type.Enum(keysOf(validationErrorCodes), {
      description: Object.entries(validationErrorCodes)
        .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
        .join('; '),
    }),
  },
  { description: 'One broken rule' },
);
export type ValidationError = Static<typeof ValidationError>;

/** The broken rules that one response reports; where there are more, it says so. */
export const MAX_REPORTED_ERRORS = 100;

/** The status codes that problems have, with their titles and when each is given. Wire contract, section 2. */
export const problems = {
  400: { title: 'Bad Request', when: 'Malformed JSON or a validation error' },
  401: { title: 'Unauthorized', when: 'No token, or one that does not verify' },
  403: { title: 'Forbidden', when: 'The token lacks the scope of the operation' },
  404: {
    title: 'Not Found',
    when: 'Unknown, or belongs to another organisation (indistinguishable)',
  },
  405: { title: 'Method Not Allowed', when: 'The address exists, but not with this method' },
  406: { title: 'Not Acceptable', when: 'None of the media types in Accept can be served' },
  413: { title: 'Content Too Large', when: 'The body is over the limit' },
  415: { title: 'Unsupported Media Type', when: 'The Content-Type is not one that is read here' },
  429: { title: 'Too Many Requests', when: "Over the organisation's rate" },
  500: { title: 'Internal Server Error', when: 'A fault of the service itself' },
  503: { title: 'Service Unavailable', when: 'Overloaded, draining or the store is away' },
} as const;

/** The status of a problem. */
export type ProblemStatus = keyof typeof problems;

/** An error answer, `application/problem+json` (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: 'What kind of problem; `about:blank` where the status says all',
    }),
    title: Type.String({ description: 'The kind in words; the same for each problem of the kind' }),
    status: Type.Integer({ description: 'The HTTP status of the answer' }),
    detail: Type.String({ description: 'What went wrong this time and what to change' }),
    instance: Type.String({
      description: "The request's own id, which stands in the server's log",
    }),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, {
        description: 'All broken rules together; of more than 100 the first 100',
      }),
    ),
    errorCount: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Goods items: how many rules are broken, also those that are not reported; of one message at most 101 are counted',
      }),
    ),
    published: Type.Optional(
      Type.Object(
        { accepted: Type.Integer({ minimum: 0 }), duplicates: Type.Integer({ minimum: 0 }) },
        {
          description:
            'Goods items: the first `accepted + duplicates` messages of the request are stored, and none after them',
        },
      ),
    ),
  },
  { $id: 'Problem', description: 'An error answer (RFC 9457)' },
);
export type Problem = Static<typeof Problem>;

/** The errors that the two token endpoints answer, in OAuth's own form (RFC 6749 section 5.2). */
export const oauthErrors = {
  invalid_request: 'a parameter is missing or malformed, or the subject token is not accepted',
  invalid_client: 'the client is unknown or its key or certificate is not accepted',
  invalid_grant: 'the grant is not valid',
  invalid_scope: 'the scope is unknown or may not be had',
  invalid_target: 'a customs token is not issued for this audience or resource',
  temporarily_unavailable: 'too many requests: try again after the seconds in Retry-After',
  unsupported_grant_type: 'the grant type is not one that this endpoint knows',
} as const;

/** An error code of OAuth 2.0. */
export type OAuthErrorCode = keyof typeof oauthErrors;

/** What a token endpoint answers when it refuses (RFC 6749 section 5.2). */
export const OAuthError = Type.Object(
  {
    error: Type.Enum(keysOf(oauthErrors)),
    error_description: Type.String({
      description: 'The rule that was broken, with which value, and the correlation id',
    }),
  },
  { $id: 'OAuthError', description: 'Why no token was given (RFC 6749 section 5.2)' },
);
export type OAuthError = Static<typeof OAuthError>;

/** The identity provider's own codes, with which its error descriptions begin. Wire contract, section 6. */
export const identityProviderErrors = {
  'MP-011': { error: 'invalid_request', rule: 'a parameter is missing or malformed' },
  'MP-012': { error: 'invalid_grant', rule: "the grant's jti was used before" },
  'MP-100': { error: 'invalid_client', rule: 'no such client' },
  'MP-110': { error: 'invalid_grant', rule: 'aud is not this identity provider' },
  'MP-120': {
    error: 'invalid_client',
    rule: 'the certificate is not valid, its chain is not whole, or its issuer is not trusted',
  },
  'MP-121': { error: 'invalid_client', rule: 'the key or certificate has expired' },
  'MP-122': { error: 'invalid_client', rule: "the certificate's organisation is not the client's" },
  'MP-123': { error: 'invalid_request', rule: 'x5c is not an array' },
  'MP-124': { error: 'invalid_grant', rule: 'the signature does not verify' },
  'MP-130': {
    error: 'invalid_grant',
    rule: 'expired, issued in the future, or valid for more than 120 s',
  },
  'MP-200': { error: 'invalid_scope', rule: 'the client may not ask for this scope' },
  'MP-250': { error: 'invalid_scope', rule: 'the organisation has not been given this scope' },
} as const satisfies Record<string, { error: OAuthErrorCode; rule: string }>;

/** A code of the identity provider, such as `MP-110`. */
export type IdentityProviderErrorCode = keyof typeof identityProviderErrors;
