// Code lists: importing and reading them.
import { Type } from 'typebox';
import {
  CodeListEntry,
  CodeListId,
  CodeListQuery,
  CodeListSummary,
} from '../../code-lists/code-list.js';
import { CodeListImported, CodeListImportQuery } from '../../code-lists/customs-offices.js';
import { UnloCodesImported } from '../../code-lists/unlo-codes.js';
import { pageHeaders } from '../feed.js';
import type { Operation } from '../operation.js';

export const codeListOperations = {
  importCustomsOffices: {
    operationId: 'importCustomsOffices',
    method: 'PUT',
    path: '/api/authority/v1/code-lists/cl141',
    tag: 'Authority',
    summary: 'Replace the list of customs offices (CL141)',
    description:
      'CSV with a header line `reference_number,name` and optionally `valid_from,valid_to` (dates). The whole list is replaced, or nothing. Every server uses the new list within a minute. With `preview`, the response says what would be added, changed and removed, and nothing is changed; sent again with the number of removed offices as `expectedRemovals`, the list is replaced only if it would still remove as many. An import that would remove more than one and more than a tenth of the offices is refused without `expectedRemovals`. A list that equals the one in force may be sent again with any number.\n\nThe days of an office are those of the time zone of the customs offices.',
    access: ['authority/registry'],
    query: CodeListImportQuery,
    body: { 'text/csv': Type.String() },
    maxBodyBytes: 1024 * 1024,
    responses: {
      200: {
        description: 'The list is replaced, or a preview',
        content: { 'application/json': CodeListImported },
      },
    },
  },

  importUnloCodes: {
    operationId: 'importUnloCodes',
    method: 'PUT',
    path: '/api/authority/v1/code-lists/cl144',
    tag: 'Authority',
    summary: 'Replace the list of places (CL144, UN/LOCODE)',
    description:
      'CSV with a header line `code` and optionally `name`. The whole list is replaced, or nothing. Until a list is imported, only the form of codes is checked. `preview` and `expectedRemovals` are those of the list of customs offices.',
    access: ['authority/registry'],
    query: CodeListImportQuery,
    body: { 'text/csv': Type.String() },
    maxBodyBytes: 8 * 1024 * 1024,
    responses: {
      200: {
        description: 'The list is replaced, or a preview',
        content: { 'application/json': UnloCodesImported },
      },
    },
  },

  listCodeLists: {
    operationId: 'listCodeLists',
    method: 'GET',
    path: '/api/code-lists/v1',
    tag: 'Service',
    summary: 'List the code lists in force',
    description:
      'The lists by which messages are checked, with when those that the authority imports came into force. `getCodeList` reads the codes of one.',
    access: 'any-token',
    responses: {
      200: {
        description: 'The code lists, sorted by name',
        content: { 'application/json': Type.Array(CodeListSummary) },
      },
    },
  },

  getCodeList: {
    operationId: 'getCodeList',
    method: 'GET',
    path: '/api/code-lists/v1/{list}',
    tag: 'Service',
    summary: 'Read the codes of a code list',
    description:
      'The codes of a list that is in force, sorted by their characters, in pages. `Last-Modified` says when it was imported. The `ETag` is that of the whole list: if it differs between two pages, the list was replaced meanwhile, and is to be read again. The list of customs offices has also those that are not valid yet, or not any more.',
    access: 'any-token',
    parameters: { list: CodeListId },
    query: CodeListQuery,
    responses: {
      200: {
        description: 'Codes',
        content: { 'application/json': Type.Array(CodeListEntry) },
        headers: {
          ...pageHeaders,
          ETag: 'The member `etag` of the list in `listCodeLists`',
          'Last-Modified': 'When the list was imported; absent if it is built in',
        },
      },
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
