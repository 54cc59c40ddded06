// Importing code lists.
import { Type } from 'typebox';
import { CodeListImported } from '../../code-lists/customs-offices.js';
import type { Operation } from '../operation.js';

export const codeListOperations = {
  importCustomsOffices: {
    operationId: 'importCustomsOffices',
    method: 'PUT',
    path: '/api/authority/v1/code-lists/cl141',
    tag: 'Authority',
    summary: 'Replace the list of customs offices (CL141)',
    description:
      'CSV with a header line `reference_number,name` and optionally `valid_from,valid_to` (dates). The whole list is replaced, or nothing. Every server uses the new list within a minute.',
    access: ['authority/registry'],
    body: { 'text/csv': Type.String() },
    maxBodyBytes: 1024 * 1024,
    responses: {
      200: {
        description: 'The list is replaced',
        content: { 'application/json': CodeListImported },
      },
    },
  },
} as const satisfies Record<string, Operation>;
