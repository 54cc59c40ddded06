// Presenting goods and reading validation statuses.
import { Type } from 'typebox';
import { Mrn, RequestId } from '../identifiers.js';
import {
  PresentationAccepted,
  type PresentationPath,
  presentationLevels,
} from '../presentation.js';
import { ValidationStatus, ValidationStatusQuery } from '../validation-status.js';
import { feedHeaders, feedResponse } from './feed.js';
import type { Operation } from './operation.js';

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
    headers: {
      Prefer:
        '`handling=strict` refuses members that the schema does not have (`UNKNOWN_MEMBER`); without it they are ignored, and the status names them (RFC 7240)',
    },
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
