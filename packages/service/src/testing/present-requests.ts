// Presentations in tests that work below HTTP.
import { randomUUID } from 'node:crypto';
import type { PresentationPath } from '@landfall/contract';
import { readSubmission } from '../presentation/submission.js';

/** A request of an organisation to present the goods of a reference. */
export function presentationRequest(
  path: PresentationPath,
  organisationId: number,
  reference: object,
  requestId: string = randomUUID(),
) {
  return {
    organisationId,
    actor: { organisation: 'test', client: 'test' },
    submission: readSubmission(
      path,
      { requestId, customsOfficeOfPresentation: 'NO351001', ...reference },
      () => true,
    ),
  };
}
