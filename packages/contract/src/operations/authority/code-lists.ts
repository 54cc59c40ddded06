// Importing code lists.
import { Type } from 'typebox';
import { CodeListImported, CodeListImportQuery } from '../../code-lists/customs-offices.js';
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
} as const satisfies Record<string, Operation>;
