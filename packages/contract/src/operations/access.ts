// Tokens: the exchange, its keys, and the identity provider of the playground.
import { Type } from 'typebox';
import {
  AccessToken,
  AuthorizationServerMetadata,
  CustomsToken,
  ExchangeRequest,
  GrantRequest,
  IDENTITY_PROVIDER_PATH,
  JsonWebKeySet,
} from '../access.js';
import { ModeParameter, VersionParameter } from '../movement/messages.js';
import { modes } from '../movement/modes.js';
import type { Operation } from './operation.js';

/** A key set is cached for a shorter time than a new key is published before it signs. */
const KEY_SET_CACHE = 'public, max-age=60';

export const accessOperations = {
  exchangeToken: {
    operationId: 'exchangeToken',
    method: 'POST',
    path: '/api/access/external/oauth/token',
    tag: 'Access',
    summary: "Exchange the identity provider's token for a customs token",
    description:
      'The second of the two exchanges. Use the customs token for its whole lifetime, and get a new one shortly before it expires.',
    access: 'public',
    idempotent: true,
    body: { 'application/x-www-form-urlencoded': ExchangeRequest },
    responses: {
      200: { description: 'A customs token', content: { 'application/json': CustomsToken } },
    },
    oauthErrors: true,
  },

  getCustomsKeys: {
    operationId: 'getCustomsKeys',
    method: 'GET',
    path: '/api/access/jwks',
    tag: 'Access',
    summary: 'Read the keys that sign customs tokens',
    description: 'Public keys (RFC 7517), including those that are not used yet.',
    access: 'public',
    cacheControl: KEY_SET_CACHE,
    responses: {
      200: { description: 'Key set', content: { 'application/json': JsonWebKeySet } },
    },
  },

  testAuth: {
    operationId: 'testAuth',
    method: 'GET',
    path: '/api/movement/{mode}/{version}/test-auth',
    tag: 'Access',
    summary: 'Test a customs token',
    description:
      'Responds 200 to any valid customs token, whatever its scope, at the address of every mode of transport.',
    access: 'any-token',
    parameters: {
      mode: { ...ModeParameter, default: modes.road.name },
      version: { ...VersionParameter, default: modes.road.version },
    },
    problems: [404],
    ignoresAccept: true,
    responses: {
      200: { description: 'The token is valid', content: { 'text/plain': Type.String() } },
    },
  },

  requestAccessToken: {
    operationId: 'requestAccessToken',
    method: 'POST',
    path: `${IDENTITY_PROVIDER_PATH}/token`,
    tag: 'Access',
    summary: "Playground: the identity provider's token for a signed grant",
    description:
      'The first of the two exchanges (RFC 7523). In production, the identity provider is an external one.',
    access: 'public',
    body: { 'application/x-www-form-urlencoded': GrantRequest },
    responses: {
      200: {
        description: 'An access token, which can be exchanged',
        content: { 'application/json': AccessToken },
      },
    },
    oauthErrors: true,
  },

  getIdentityProviderKeys: {
    operationId: 'getIdentityProviderKeys',
    method: 'GET',
    path: `${IDENTITY_PROVIDER_PATH}/jwks`,
    tag: 'Access',
    summary: "Playground: the identity provider's keys",
    description: "Public keys of the playground's own identity provider.",
    access: 'public',
    cacheControl: KEY_SET_CACHE,
    responses: {
      200: { description: 'Key set', content: { 'application/json': JsonWebKeySet } },
    },
  },

  getIdentityProviderMetadata: {
    operationId: 'getIdentityProviderMetadata',
    method: 'GET',
    path: `${IDENTITY_PROVIDER_PATH}/.well-known/oauth-authorization-server`,
    tag: 'Access',
    summary: 'Playground: metadata of the identity provider',
    description: 'Authorization server metadata (RFC 8414).',
    access: 'public',
    responses: {
      200: {
        description: 'Metadata',
        content: { 'application/json': AuthorizationServerMetadata },
      },
    },
  },
} as const satisfies Record<string, Operation>;
