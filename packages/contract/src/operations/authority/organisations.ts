// Organisations and their grants.
import { Type } from 'typebox';
import {
  Organisation,
  OrganisationEntry,
  OrganisationIdentifier,
  OrganisationName,
  OrganisationNamesQuery,
  OrganisationPatch,
  OrganisationQuery,
  OrganisationSummary,
} from '../../organisation.js';
import { pageHeaders } from '../feed.js';
import type { Operation } from '../operation.js';

const etagHeader = { ETag: 'The member `etag`' };

export const organisationOperations = {
  listOrganisations: {
    operationId: 'listOrganisations',
    method: 'GET',
    path: '/api/authority/v1/organisations',
    tag: 'Authority',
    summary: 'List organisations',
    description:
      'All organisations without their clients, sorted by the characters of their ids (Unicode numbers). An organisation that only declarations name has its id as name, and no scopes.',
    access: ['authority/registry'],
    query: OrganisationQuery,
    responses: {
      200: {
        description: 'Organisations',
        content: { 'application/json': Type.Array(OrganisationSummary) },
        headers: pageHeaders,
      },
    },
  },

  listOrganisationNames: {
    operationId: 'listOrganisationNames',
    method: 'GET',
    path: '/api/authority/v1/organisation-names',
    tag: 'Authority',
    summary: 'List the names of organisations',
    description:
      'The names of the organisations with these ids, for people who read ids elsewhere: officers may read them too. What is not registered, or has no other name than its id, is left out.',
    access: ['authority/registry', 'authority/routing'],
    query: OrganisationNamesQuery,
    responses: {
      200: {
        description: 'The names, sorted by the characters of the ids',
        content: { 'application/json': Type.Array(OrganisationName) },
      },
    },
  },

  getOrganisation: {
    operationId: 'getOrganisation',
    method: 'GET',
    path: '/api/authority/v1/organisations/{id}',
    tag: 'Authority',
    summary: 'Read an organisation',
    description:
      'Its name, granted scopes, identification numbers and clients, and whether it is blocked.',
    access: ['authority/registry'],
    parameters: { id: OrganisationIdentifier },
    responses: {
      200: {
        description: 'The organisation',
        content: { 'application/json': Organisation },
        headers: etagHeader,
      },
    },
    problems: [404],
  },

  putOrganisation: {
    operationId: 'putOrganisation',
    method: 'PUT',
    path: '/api/authority/v1/organisations/{id}',
    tag: 'Authority',
    summary: 'Create or replace an organisation',
    description:
      'Replaces all data of the organisation; the same data again changes nothing. Every server applies it within a minute, also to tokens that exist; what is open, such as a stream or an upload, ends within seconds. Private keys are refused, and so is a list without a client that is blocked, or of which the organisation is blocked: it would be accepted with other organisations again. An organisation that is registered already is replaced only as it was read: with `If-Match`, or with the member `etag` of what was read (428 without, 412 if somebody else has changed it since). With `If-None-Match`, the organisation is created and none replaced. A request whose data are stored already is not refused, and one that only declarations have named needs no precondition. To change some members, use `PATCH`.',
    access: ['authority/registry'],
    parameters: { id: OrganisationIdentifier },
    headers: {
      'If-Match':
        'The `etag` of the organisation as it was read, or `*` for any existing one (RFC 9110, section 13.1.1)',
      'If-None-Match':
        'Only `*`: there must be no such organisation yet (RFC 9110, section 13.1.2). Not together with `If-Match`',
    },
    body: { 'application/json': OrganisationEntry },
    responses: {
      200: {
        description: 'The organisation after the change',
        content: { 'application/json': Organisation },
        headers: etagHeader,
      },
    },
    problems: [412, 428],
  },

  patchOrganisation: {
    operationId: 'patchOrganisation',
    method: 'PATCH',
    path: '/api/authority/v1/organisations/{id}',
    tag: 'Authority',
    summary: 'Change some members of an organisation',
    description:
      'Changes the members that the body names, and leaves the others as they are (RFC 7396): `{ "blocked": true }` blocks the organisation, and its scopes and clients stay. A list, such as `clients`, is replaced whole; `null` stands for an empty list or `false`. The same change again changes nothing. The rules are those of `PUT`, for the organisation as it would be afterwards. With `If-Match`, or with the member `etag` of what was read, only that state is changed.',
    access: ['authority/registry'],
    idempotent: true,
    parameters: { id: OrganisationIdentifier },
    headers: {
      'If-Match': 'The `etag` of the organisation as it was read (RFC 9110, section 13.1.1)',
    },
    body: { 'application/merge-patch+json': OrganisationPatch },
    responses: {
      200: {
        description: 'The organisation after the change',
        content: { 'application/json': Organisation },
        headers: etagHeader,
      },
    },
    problems: [404, 412],
  },
} as const satisfies Record<string, Operation>;
