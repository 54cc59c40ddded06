// Every error code of the service with its meaning.
import { type Static, Type } from 'typebox';
import { keysOf } from './keys-of.js';

/** Codes of a validation error, with when each is given. */
export const validationErrorCodes = {
  REQUIRED: 'a required member is missing or blank',
  FORMAT: 'wrong type, pattern, date-time, UUID or check digit',
  SIZE: 'a text or list is shorter or longer than allowed',
  UNKNOWN_CODE: 'not in its code list (CL754, CL141)',
  REQUEST_ID_REUSED:
    'this organisation has used this requestId before, and its status is still kept',
  REFERENCE_NOT_FOUND:
    'the entry summary declaration, receptacle, container or transport document is not pre-notified',
  REFERENCE_AMBIGUOUS:
    'the transport document is under more than one entry summary declaration: add mrn',
  PRESENTED: 'the request would change or withdraw presented goods',
  DUPLICATE: 'something else that is current has this MRN, or the key of the message',
  TAKEN: 'the identifier belongs to another organisation',
  UNKNOWN_MARKER: 'this organisation never received this marker',
  MARKER_EXPIRED:
    'entries after the marker are no longer kept: start again from the current goods items (`/current`), or without a marker from the oldest status or signal that is kept',
  UNKNOWN_MEMBER: 'a member or a parameter that does not exist',
  ACCESS_ENDED:
    'during an upload: the token or the session has ended, the organisation or its client was blocked, or the scope was withdrawn; nothing from this line on is processed',
  RESULTS_NOT_READ:
    'during an upload: the results were not read for most of a minute, and there was no room for more; nothing from this line on is processed, except lines that the error names',
  RELEASED: 'the goods are presented and TO_ENTRY, so they may have been released',
  FOUR_EYES:
    'two officers are needed: goods that are TO_CONTROL are released by a routing run that another officer confirms, never by whoever has created it or by a system',
  DECISION_ID_REUSED: 'this organisation has used this decisionId for another decision',
  COUNT_DIFFERS:
    'the selection does not have as many house consignments as `expectedCount` says, or the import would not remove as many entries as `expectedRemovals` says',
  RUN_STATE: 'the state of the routing run does not permit this',
  SUBSCRIPTION_STATE: 'the state of the subscription does not permit this',
  HELD: 'in a line or an element of an array: other changes of the same goods, or of an organisation that gets their signals, took too long; nothing of it was done: send it again',
  INCOMPATIBLE: 'two members contradict each other',
  NOT_VERIFIED: 'a register says no, or the scanner of documents has found malware',
  EVENT_ID_REUSED: 'this eventId was published before with other content',
  REPEATED: 'twice within one message',
  KEY_CHANGED: 'a member of the key of a movement message differs: cancel it and lodge it again',
  NOT_FOR_MODE: 'the code belongs to another mode of transport',
  NOT_CURRENT: 'the movement message has ended',
  ALREADY_ARRIVED: 'the transport has arrived at another time, or at another customs office',
  TIME_OUT_OF_RANGE: 'the time is too early or too late',
} as const;

/** The code of a validation error, for programs. */
export const ValidationErrorCode = Type.Enum(keysOf(validationErrorCodes), {
  $id: 'ValidationErrorCode',
  description: Object.entries(validationErrorCodes)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join('; '),
});
export type ValidationErrorCode = Static<typeof ValidationErrorCode>;

/** One broken rule: the path of the member, a sentence for people and a code for programs. */
export const ValidationError = Type.Object(
  {
    index: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Goods items: the index of the message in the request, from 0; blank lines are not counted',
      }),
    ),
    eventId: Type.Optional(
      Type.String({ description: 'Goods items: the eventId of that message, if it has one' }),
    ),
    field: Type.String({
      description: 'Path of the member, from the root of the body or the message, or in the query',
    }),
    error: Type.String({ description: 'The broken rule, for people' }),
    code: ValidationErrorCode,
  },
  { $id: 'ValidationError', description: 'One broken rule' },
);
export type ValidationError = Static<typeof ValidationError>;

/** Maximum number of broken rules that one response reports. If there are more, the response says so. */
export const MAX_REPORTED_ERRORS = 100;

/** The status codes that problems have, with their titles and when each is given. */
export const problems = {
  400: { title: 'Bad Request', when: 'Malformed JSON or a validation error' },
  401: { title: 'Unauthorized', when: 'No token, or an invalid one' },
  403: { title: 'Forbidden', when: 'The token lacks the scope of the operation' },
  404: {
    title: 'Not Found',
    when: 'Unknown, or belongs to another organisation (indistinguishable)',
  },
  405: { title: 'Method Not Allowed', when: 'The address exists, but not with this method' },
  406: { title: 'Not Acceptable', when: 'None of the media types in Accept is available' },
  412: {
    title: 'Precondition Failed',
    when: 'What is to be replaced has another state than `If-Match` names, or exists although `If-None-Match` is sent',
  },
  413: { title: 'Content Too Large', when: 'The body is over the limit' },
  415: {
    title: 'Unsupported Media Type',
    when: 'The Content-Type is not supported by the operation',
  },
  428: {
    title: 'Precondition Required',
    when: 'The request has no `If-Match`, so it could undo what somebody else has changed',
  },
  429: {
    title: 'Too Many Requests',
    when: "Over the organisation's limit of requests a second (one with a body counts as one for each 4 KiB of it, an upload of NDJSON or of a document as one), open reads or unread responses",
  },
  500: { title: 'Internal Server Error', when: 'An internal error of the service' },
  503: {
    title: 'Service Unavailable',
    when: 'Overloaded, shutting down, or the database is unavailable',
  },
} as const;

/** The status of a problem. */
export type ProblemStatus = keyof typeof problems;

/** The part of a publication that is stored although the request failed. */
const PublishedMessages = Type.Object(
  { accepted: Type.Integer({ minimum: 0 }), duplicates: Type.Integer({ minimum: 0 }) },
  {
    $id: 'PublishedMessages',
    description:
      'Goods items: the first `accepted + duplicates` messages of the request are stored, and none after them',
  },
);

/** An error response, `application/problem+json` (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: 'The kind of problem; `about:blank` if the status is sufficient',
    }),
    title: Type.String({ description: 'The name of the kind of problem' }),
    status: Type.Integer({ description: 'The HTTP status of the response' }),
    detail: Type.String({ description: 'The cause of this problem, and what to change' }),
    instance: Type.String({
      description: "The id of the request in the server's log",
    }),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, {
        description: 'All broken rules, or the first 100',
      }),
    ),
    errorCount: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Goods items: the number of broken rules, including those that are not reported; at most 101 are counted for one message',
      }),
    ),
    published: Type.Optional(PublishedMessages),
  },
  { $id: 'Problem', description: 'An error response (RFC 9457)' },
);
export type Problem = Static<typeof Problem>;

/** The errors of the two token endpoints, in the form of OAuth (RFC 6749 section 5.2). */
export const oauthErrors = {
  invalid_request: 'a parameter is missing or malformed, or the subject token is not accepted',
  invalid_client: 'the client is unknown or its key or certificate is not accepted',
  invalid_grant: 'the grant is not valid',
  invalid_scope: 'the scope is unknown or not granted',
  invalid_target: 'a customs token is not issued for this audience or resource',
  temporarily_unavailable: 'too many requests: try again after the seconds in Retry-After',
  unsupported_grant_type: 'this endpoint does not support the grant type',
} as const;

/** An error code of OAuth 2.0. */
export const OAuthErrorCode = Type.Enum(keysOf(oauthErrors), {
  $id: 'OAuthErrorCode',
  description: Object.entries(oauthErrors)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join('; '),
});
export type OAuthErrorCode = Static<typeof OAuthErrorCode>;

/** An error response of a token endpoint (RFC 6749 section 5.2). */
export const OAuthError = Type.Object(
  {
    error: OAuthErrorCode,
    error_description: Type.String({
      description: 'The broken rule with the value, and the correlation id',
    }),
  },
  { $id: 'OAuthError', description: 'Why no token was issued (RFC 6749 section 5.2)' },
);
export type OAuthError = Static<typeof OAuthError>;

/** The codes at the beginning of the identity provider's error descriptions. */
export const identityProviderErrors = {
  'MP-011': { error: 'invalid_request', rule: 'a parameter is missing or malformed' },
  'MP-012': { error: 'invalid_grant', rule: "the grant's jti was used before" },
  'MP-100': { error: 'invalid_client', rule: 'no such client' },
  'MP-110': { error: 'invalid_grant', rule: 'aud is not this identity provider' },
  'MP-120': {
    error: 'invalid_client',
    rule: 'the certificate is not valid, its chain is incomplete, or its issuer is not trusted',
  },
  'MP-121': { error: 'invalid_client', rule: 'the key or certificate has expired' },
  'MP-122': { error: 'invalid_client', rule: "the certificate's organisation is not the client's" },
  'MP-123': { error: 'invalid_request', rule: 'x5c is not an array' },
  'MP-124': { error: 'invalid_grant', rule: 'the signature does not verify' },
  'MP-130': {
    error: 'invalid_grant',
    rule: 'expired, issued in the future, or valid for more than 120 s',
  },
  'MP-200': { error: 'invalid_scope', rule: 'the client may not request this scope' },
  'MP-250': { error: 'invalid_scope', rule: 'this scope is not granted to the organisation' },
} as const satisfies Record<string, { error: OAuthErrorCode; rule: string }>;

/** A code of the identity provider, such as `MP-110`. */
export type IdentityProviderErrorCode = keyof typeof identityProviderErrors;
