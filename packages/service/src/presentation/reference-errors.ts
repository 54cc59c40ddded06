// What is wrong with a reference that does not lead to goods, by level.
import {
  type PresentationPath,
  presentationLevels,
  type ValidationError,
} from '@landfall/contract';

/** Why a reference does not lead to goods. */
export type ReferenceProblem = 'REFERENCE_NOT_FOUND' | 'REFERENCE_AMBIGUOUS';

const nouns: Record<PresentationPath, string> = {
  'house-consignment': 'transport document',
  'master-consignment': 'transport document',
  container: 'container',
  receptacle: 'receptacle',
  'entry-summary-declaration': 'entry summary declaration',
};

/** The error that tells it. Wire contract, section 2. */
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

/** An error as a validation status tells it. Wire contract, section 4. */
export function toStatusError({ field, error, code }: ValidationError) {
  return { description: error, code, pointer: { messageElementPath: field } };
}
