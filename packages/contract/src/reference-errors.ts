// What is wrong with a reference that does not lead to goods, by level. Wire contract, sections 2 and 4.
import type { ValidationError } from './errors.js';
import { type PresentationPath, presentationLevels } from './presentation.js';

/** Why a reference does not lead to goods. */
export type ReferenceProblem = 'REFERENCE_NOT_FOUND' | 'REFERENCE_AMBIGUOUS';

const nouns: Record<PresentationPath, string> = {
  'house-consignment': 'transport document',
  'master-consignment': 'transport document',
  container: 'container',
  receptacle: 'receptacle',
  'entry-summary-declaration': 'entry summary declaration',
};

/** The error that reports it. */
export function referenceError(path: PresentationPath, problem: ReferenceProblem): ValidationError {
  return {
    field: presentationLevels[path].reference,
    error:
      problem === 'REFERENCE_NOT_FOUND'
        ? `no such ${nouns[path]} is pre-notified`
        : 'stands under more than one entry summary declaration: give mrn too',
    code: problem,
  };
}

/** An error as a validation status reports it. */
export function toStatusError({ field, error, code }: ValidationError) {
  return { description: error, code, pointer: { messageElementPath: field } };
}
