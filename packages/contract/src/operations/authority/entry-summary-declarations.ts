// Registering pre-notifications: entry summary declarations and their house consignments.
import { Type } from 'typebox';
import {
  EntrySummaryDeclaration,
  EntrySummaryDeclarationEntry,
  EntrySummaryDeclarationResult,
  HouseConsignmentLine,
  RegistrationResult,
  StoredEntrySummaryDeclaration,
} from '../../entry-summary-declaration.js';
import { Mrn } from '../../identifiers.js';
import { lines } from '../media-types.js';
import { MAX_JSON_BODY_BYTES, type Operation } from '../operation.js';
import { uploadHeaders } from '../upload-summary.js';

const declarationsPath = '/api/authority/v1/entry-summary-declarations';

const ifMatch =
  'The `ETag` of the declaration as it was read, or `*` for any existing one (RFC 9110, section 13.1.1)';

export const entrySummaryDeclarationOperations = {
  putEntrySummaryDeclaration: {
    operationId: 'putEntrySummaryDeclaration',
    method: 'PUT',
    path: `${declarationsPath}/{mrn}`,
    tag: 'Authority',
    summary: 'Register an entry summary declaration, or change it',
    description:
      'Replaces the whole declaration; the same declaration again changes nothing. The request is refused as a whole if it would change or remove a presented house consignment, or if it would change members of the declaration itself, other than `carrier` and `presenters`, while one of its house consignments is presented. Unknown organisations are created. An office that has left the list of customs offices is accepted as long as it does not change. House consignments that are added after the declaration was presented are not presented; they have `addedAfterPresentation` until somebody presents them. With `If-Match`, it replaces nothing if the declaration or its house consignments have changed since it was read; with `If-None-Match`, it registers the declaration and replaces none. A request of which everything is stored already is not refused.',
    access: ['authority/registry'],
    parameters: { mrn: Mrn },
    headers: {
      'If-Match': ifMatch,
      'If-None-Match':
        'Only `*`: there must be no such declaration yet (RFC 9110, section 13.1.2). Not together with `If-Match`',
    },
    body: { 'application/json': EntrySummaryDeclarationEntry },
    maxBodyBytes: MAX_JSON_BODY_BYTES,
    responses: {
      200: {
        description: 'The declaration existed; the body reports what changed',
        content: { 'application/json': EntrySummaryDeclarationResult },
      },
      201: {
        description: 'The declaration is registered',
        content: { 'application/json': EntrySummaryDeclarationResult },
      },
    },
    problems: [412],
  },

  getEntrySummaryDeclaration: {
    operationId: 'getEntrySummaryDeclaration',
    method: 'GET',
    path: `${declarationsPath}/{mrn}`,
    tag: 'Authority',
    summary: 'Read an entry summary declaration',
    description:
      'The declaration as it was last registered, in the form of `PUT`, all of it at one moment: if it is changed while a large one is sent, the response breaks off before its end, and is requested again. Registering it again with `PUT` changes nothing. A declaration with more than 2,000 house consignments, or more than 512 KiB, is too large for `PUT`: with `Accept: application/x-ndjson` it is read as lines, which `postEntrySummaryDeclarations` accepts as they are. `routing` is the value that was registered: later decisions are in the history of each house consignment.',
    access: ['authority/registry'],
    parameters: { mrn: Mrn },
    responses: {
      200: {
        description: 'The declaration',
        content: {
          'application/json': StoredEntrySummaryDeclaration,
          'application/x-ndjson': lines(
            'The declaration with an empty list, then a line for each house consignment',
            Type.Union([EntrySummaryDeclaration, HouseConsignmentLine]),
          ),
        },
        headers: {
          ETag: 'Another one after each change of the declaration or of its house consignments: sent as `If-Match`, only this state is replaced or withdrawn',
        },
      },
    },
    problems: [404],
  },

  deleteEntrySummaryDeclaration: {
    operationId: 'deleteEntrySummaryDeclaration',
    method: 'DELETE',
    path: `${declarationsPath}/{mrn}`,
    tag: 'Authority',
    summary: 'Withdraw an entry summary declaration',
    description:
      'Withdraws the declaration with all its house consignments. It is refused if one of them is presented: presented goods are never deleted. With `If-Match`, only the state that was read is withdrawn.',
    access: ['authority/registry'],
    parameters: { mrn: Mrn },
    headers: { 'If-Match': ifMatch },
    responses: {
      200: {
        description: 'The declaration is withdrawn',
        content: { 'application/json': EntrySummaryDeclarationResult },
      },
    },
    problems: [404, 412],
  },

  postEntrySummaryDeclarations: {
    operationId: 'postEntrySummaryDeclarations',
    method: 'POST',
    path: declarationsPath,
    tag: 'Authority',
    summary: 'Register any number of declarations',
    description:
      'One declaration or one house consignment per line, any number of lines, streamed: results are returned while lines are still being sent, one per line, in order. A line that breaks a rule is refused individually; one that needs what others hold for more than 10 s is refused with `HELD`: send it again. If access ends during the upload, the last result is `REFUSED` with `ACCESS_ENDED`, and nothing from its line on is processed. The same holds with `RESULTS_NOT_READ` if results are not read for most of a minute and there is no room for more: read while sending. If the connection is lost, send the same lines again: those that are already registered are `UNCHANGED`.',
    access: ['authority/registry'],
    idempotent: true,
    headers: uploadHeaders,
    body: {
      'application/x-ndjson': lines(
        'One JSON object per line, each at most 512 KiB',
        Type.Union([EntrySummaryDeclaration, HouseConsignmentLine]),
      ),
    },
    responses: {
      200: {
        description: 'The result of each line',
        content: {
          'application/x-ndjson': lines(
            'One result per line, in the order of the request',
            RegistrationResult,
          ),
        },
      },
    },
  },
} as const satisfies Record<string, Operation>;
