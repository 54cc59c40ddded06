// Organisations and their grants.
import { Type } from 'typebox';
import {
  Organisation,
  OrganisationEntry,
  OrganisationIdentifier,
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

  getOrganisation: {
    operationId: 'getOrganisation',
    method: 'GET',
    path: '/api/authority/v1/organisations/{id}',
    tag: 'Authority',
    summary: 'Read an organisation',
    description: 'Its name, granted scopes and clients, and whether it is blocked.',
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
      'Replaces all data of the organisation; the same data again changes nothing. Every server applies it within a minute, also to tokens that exist; what is open, such as a stream or an upload, ends within seconds. Private keys are refused, and so is a list without a client that is blocked, or of which the organisation is blocked: it would be accepted with other organisations again. With `If-Match`, it replaces nothing if somebody else has changed the organisation since it was read; with `If-None-Match`, it creates the organisation and replaces none. A request whose data are stored already is not refused.',
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
    problems: [412],
  },
} as const satisfies Record<string, Operation>;
