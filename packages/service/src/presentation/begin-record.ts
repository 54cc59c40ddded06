// The audit record of a batch of presentations: who presented what.
import { type PresentationPath, presentationLevels } from '@landfall/contract';
import type { PresentationRequest } from './submission.js';

/**
 * The record without its time and the outcome of the batch, which the database adds: members as JSON text, the last one open.
 */
export function beginRecord(
  path: PresentationPath,
  requests: readonly PresentationRequest[],
): string {
  const record = {
    action: 'consignments.presented',
    details: {
      level: presentationLevels[path].level,
      // Member by member: spreading the objects takes several times as long.
      requests: requests.map(({ actor, submission: { requestId, reference } }) => ({
        organisation: actor.organisation,
        client: actor.client,
        requestId,
        identifier: reference?.identifier,
        documentType: reference?.documentType,
        mrn: reference?.mrn,
      })),
    },
  };
  return JSON.stringify(record).slice('{'.length, -'}}'.length);
}
