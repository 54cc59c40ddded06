// What a request to any operation of the contract needs: values for its path, and a role that may call it.
import { modes, operations } from '@landfall/contract';
import { type CallOptions, type OperationId, operationOf } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';

/** The names of all operations. The cast is true because they are the names of the table. */
export const operationIds = Object.keys(operations) as OperationId[];

/** Values of the parameters in paths; nothing has these identifiers. */
export const pathValues = {
  reference: '00000000-0000-4000-8000-000000000000',
  mrn: '26NO00000000000000',
  id: '00000000-0000-4000-8000-000000000000',
  name: 'conformance-nothing',
  declarationId: '999999999-01012000-1',
  documentId: '00000000-0000-4000-8000-000000000000',
  requestId: '00000000-0000-4000-8000-000000000000',
  mode: 'road',
  version: 'v2',
  level: 'house-consignment',
  list: 'cl754',
  organisation: 'conformance-nothing',
};

/** Scopes of a presenter. Without that of arrivals, an implementation is not tested for them. */
const presenterScopes = ['movement/entry', modes.road.scope, 'movement/transportarrival'] as const;

/** A role whose token has a scope of the operation. */
export function roleFor(operationId: OperationId): Role {
  const { access } = operationOf(operationId);
  if (!Array.isArray(access)) return 'presenter';
  if (presenterScopes.some((scope) => access.includes(scope))) return 'presenter';
  if (access.includes('goodsdeclaration/document.write')) return 'uploader';
  if (access.includes('declaration.feed')) return 'reader';
  return access.includes('declaration.publish') ? 'publisher' : 'authority';
}

/** Calls an operation as a role that may, with values for its path. */
export function callAny(
  context: CaseContext,
  operationId: OperationId,
  options: CallOptions,
): Promise<HttpResponse> {
  return context.as(roleFor(operationId)).call(operationId, { path: pathValues, ...options });
}
