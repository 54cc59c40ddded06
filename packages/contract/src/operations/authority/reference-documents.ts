// Registering documents of other registers, and reading them.
import { Type } from 'typebox';
import {
  KeptReferenceDocument,
  ReferenceDocumentQuery,
  ReferenceDocumentResult,
  RegisteredReference,
} from '../../reference-document.js';
import { pageHeaders } from '../feed.js';
import { lines } from '../media-types.js';
import type { Operation } from '../operation.js';
import { uploadHeaders } from '../upload-summary.js';

const path = '/api/authority/v1/reference-documents';

export const referenceDocumentOperations = {
  postReferenceDocuments: {
    operationId: 'postReferenceDocuments',
    method: 'POST',
    path,
    tag: 'Authority',
    summary: 'Register documents of other registers',
    description:
      'Customs declarations, transits, exports and VOEC numbers that movement messages cite: one per line, any number of lines, streamed. Results are returned while lines are still being sent, one per line, in order. The last line of a document counts; of two uploads at the same time, the one that is stored last. A line that breaks a rule is refused individually; one that needs what others hold for more than 10 s is refused with `HELD`: send it again. If access ends during the upload, the last result is `REFUSED` with `ACCESS_ENDED`, and nothing from its line on is processed. The same holds with `RESULTS_NOT_READ` if results are not read for most of a minute and there is no room for more: read while sending. If the connection is lost, send the same lines again: documents that have their state already are `UNCHANGED`. Nothing else changes a document, and none is removed.',
    access: ['authority/registry'],
    idempotent: true,
    headers: uploadHeaders,
    body: {
      'application/x-ndjson': lines('One document per line', RegisteredReference),
    },
    responses: {
      200: {
        description: 'The result of each line',
        content: {
          'application/x-ndjson': lines(
            'One result per line, in the order of the request',
            ReferenceDocumentResult,
          ),
        },
      },
    },
  },

  findReferenceDocuments: {
    operationId: 'findReferenceDocuments',
    method: 'GET',
    path,
    tag: 'Authority',
    summary: 'Find documents of other registers',
    description:
      'The documents that match all given parameters, page by page, by their kind and then by their reference. As NDJSON, they can be registered again as they are.',
    access: ['authority/registry', 'authority/routing'],
    query: ReferenceDocumentQuery,
    responses: {
      200: {
        description: 'Documents',
        content: {
          'application/json': Type.Array(KeptReferenceDocument),
          'application/x-ndjson': lines('One document per line', KeptReferenceDocument),
        },
        headers: pageHeaders,
      },
    },
  },
} as const satisfies Record<string, Operation>;
