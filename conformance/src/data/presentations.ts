// Presents goods, and reads the statuses of requests.
import { randomUUID } from 'node:crypto';
import type { PresentationPath } from '@landfall/contract';
import type { Caller, OperationId } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import { expectStatus, readObject } from '../suite/expect.js';
import { OFFICE } from './goods.js';

/** The operation of each level. */
export const presentOperations = {
  'house-consignment': 'presentHouseConsignment',
  'master-consignment': 'presentMasterConsignment',
  container: 'presentContainer',
  receptacle: 'presentReceptacle',
  'entry-summary-declaration': 'presentEntrySummaryDeclaration',
} as const satisfies Record<PresentationPath, OperationId>;

/** The body of a presentation, with a new requestId. */
export function presentationOf(
  reference: Record<string, unknown>,
): Record<string, unknown> & { requestId: string } {
  return { requestId: randomUUID(), customsOfficeOfPresentation: OFFICE, ...reference };
}

/** Presents at a level; returns whatever the service responds. */
export function tryPresent(
  caller: Caller,
  level: PresentationPath,
  body: Record<string, unknown>,
): Promise<HttpResponse> {
  return caller.call(presentOperations[level], { json: body });
}

/** Presents at a level, expects that it is accepted, and returns the requestId. */
export async function present(
  caller: Caller,
  level: PresentationPath,
  reference: Record<string, unknown>,
): Promise<string> {
  const body = presentationOf(reference);
  expectStatus(await tryPresent(caller, level, body), 202);
  return body.requestId;
}

/** The status of a request, which exists. */
export async function readStatus(
  caller: Caller,
  requestId: string,
): Promise<Record<string, unknown>> {
  const response = await caller.call('getValidationStatus', { path: { reference: requestId } });
  expectStatus(response, 200);
  return readObject(response);
}
