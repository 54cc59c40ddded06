// A case that most rules on presentations need: one presentation that is refused.
import type { PresentationPath, ValidationErrorCode } from '@landfall/contract';
import { expectProblem } from '../suite/expect.js';
import type { Case } from '../suite/requirement.js';
import { presentationOf, tryPresent } from './presentations.js';

/** A case in which a presentation at a level is refused with a code at a member. */
export function refused(
  level: PresentationPath,
  reference: () => Record<string, unknown>,
  code: ValidationErrorCode,
  field: string,
): Case {
  return async (context) => {
    const response = await tryPresent(context.as('presenter'), level, presentationOf(reference()));
    expectProblem(response, 400, { code, field });
  };
}
