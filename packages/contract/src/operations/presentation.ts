// Presenting goods and reading validation statuses.
import { Type } from 'typebox';
import { Mrn, RequestId } from '../identifiers.js';
import {
  HouseConsignmentPresentation,
  PresentationAccepted,
  type PresentationPath,
  PresentationResult,
  presentationLevels,
} from '../presentation.js';
import { ValidationStatus, ValidationStatusQuery } from '../validation-status.js';
import { feedHeaders, feedResponse } from './feed.js';
import { lines } from './media-types.js';
import type { Operation } from './operation.js';
import { uploadHeaders } from './upload-summary.js';

const presentationBase = '/api/movement/presentation/v1';
const statusPath = `${presentationBase}/validation-status`;

const levelNames = {
  'house-consignment': ['HouseConsignment', 'a house consignment'],
  'master-consignment': ['MasterConsignment', 'all house consignments under a master document'],
  container: ['Container', 'all house consignments in a container'],
  receptacle: ['Receptacle', 'all house consignments in a receptacle'],
  'entry-summary-declaration': [
    'EntrySummaryDeclaration',
    'all house consignments of an entry summary declaration',
  ],
} as const satisfies Record<PresentationPath, readonly [string, string]>;

const strictHandling =
  '`handling=strict` refuses members that the schema does not have (`UNKNOWN_MEMBER`); without it they are ignored, and the status names them (RFC 7240)';

function presentation<Path extends PresentationPath>(path: Path) {
  const [name, what] = levelNames[path];
  return {
    operationId: `present${name}` as const,
    method: 'POST',
    path: `${presentationBase}/${path}`,
    tag: 'Presentation',
    summary: `Present ${what}`,
    description: `Reports to customs that ${what} has arrived. When the response arrives, the presentation is durable, every house consignment under the reference is presented, and the signals of those that are decided can be read. House consignments that are added later are not presented: present each of them, or present the reference again with a new requestId. The first call with a requestId consumes it, whatever its outcome. Nobody else of the organisation can use it while its status is kept: for ever, unless the operator of the service has limited it.`,
    access: ['movement/entry'],
    body: { 'application/json': presentationLevels[path].body },
    headers: { Prefer: strictHandling },
    responses: {
      202: {
        description: 'Presented',
        content: { 'application/json': PresentationAccepted },
        headers: {
          Location: 'Address of the validation status of this request',
          'Preference-Applied': '`handling=strict` if it was preferred',
        },
      },
    },
  } as const satisfies Operation;
}

export const presentationOperations = {
  presentHouseConsignment: presentation('house-consignment'),
  presentMasterConsignment: presentation('master-consignment'),
  presentContainer: presentation('container'),
  presentReceptacle: presentation('receptacle'),
  presentEntrySummaryDeclaration: presentation('entry-summary-declaration'),

  presentHouseConsignments: {
    operationId: 'presentHouseConsignments',
    method: 'POST',
    path: `${presentationBase}/house-consignment/batch`,
    tag: 'Presentation',
    summary: 'Present many house consignments',
    description:
      'Presents house consignments, one a line: NDJSON of any length, which is processed while it is received. Each line is the body of `presentHouseConsignment`, with its own `requestId`, and is presented by the same rules: it is accepted or refused by itself, gets a validation status, and consumes its requestId, whatever its outcome. Lines are read as they arrive, and each has its own result, in order, as soon as it is durable and its signals can be read: read the response while sending.\n\nA line has status 400 if it breaks a rule, as `presentHouseConsignment` would respond, and with `HELD` if others hold what it needs for too long: then nothing of it was recorded, and the same line can be sent again. Of two lines with one requestId, the first one counts. If access ends during an upload, the last result is 400 with `ACCESS_ENDED`, and nothing from its line on is processed. With `RESULTS_NOT_READ`, if results are not read for most of a minute and there is no room for more, the last result says which lines were processed without a result; nothing after those is processed.\n\nIf the connection is lost, send the lines without a result again, or all of them, with the same requestIds. Nothing is presented twice: a line that was committed gets `REQUEST_ID_REUSED`, and its validation status has its outcome. A body that is cut at the end of a line looks whole, so compare the number of results with that of the lines that were sent.',
    access: ['movement/entry'],
    headers: { Prefer: `${strictHandling}. ${uploadHeaders.Prefer}` },
    body: {
      'application/x-ndjson': lines('One presentation per line', HouseConsignmentPresentation),
    },
    responses: {
      200: {
        description: 'The result of each line, in order',
        content: { 'application/x-ndjson': lines('One result per line', PresentationResult) },
        headers: {
          'Preference-Applied': '`handling=strict` and `summary`, if they were preferred',
        },
      },
    },
  },

  listValidationStatuses: {
    operationId: 'listValidationStatuses',
    method: 'GET',
    path: statusPath,
    tag: 'Presentation',
    summary: 'Read the status of all requests',
    description:
      "Every presentation request of the caller's organisation whose status is kept, oldest first. The marker is the requestId of the last status that was read. A marker after which statuses are no longer kept is refused with `MARKER_EXPIRED`: start again without a marker.",
    access: ['movement/entry'],
    query: ValidationStatusQuery,
    headers: feedHeaders,
    responses: { 200: feedResponse('Statuses', ValidationStatus) },
  },

  getValidationStatus: {
    operationId: 'getValidationStatus',
    method: 'GET',
    path: `${statusPath}/{reference}`,
    tag: 'Presentation',
    summary: 'Read the status of one request, or of all requests that reached an ENS',
    description:
      'With a requestId: the status of that request, or 404 while there is none and after it was removed. With an MRN: a list of the requests whose reference reached that ENS, with the same paging as the list of all requests.',
    access: ['movement/entry'],
    parameters: {
      reference: Type.Union([RequestId, Mrn], { description: 'A requestId, or the MRN of an ENS' }),
    },
    query: Type.Object({
      marker: ValidationStatusQuery.properties.marker,
      timeline: ValidationStatusQuery.properties.timeline,
      since: ValidationStatusQuery.properties.since,
      limit: ValidationStatusQuery.properties.limit,
    }),
    headers: feedHeaders,
    responses: {
      200: {
        ...feedResponse('Statuses', ValidationStatus),
        content: {
          ...feedResponse('Statuses', ValidationStatus).content,
          'application/json': Type.Union([ValidationStatus, Type.Array(ValidationStatus)]),
        },
      },
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
