// The entity tag of a declaration, and which state of it a request may replace or withdraw.
import type { ExistingDeclaration } from './declaration-queries.js';

/**
 * In which state it must be: any, missing, or existing with an entity tag for which the function returns `true`. One that was
 * withdrawn is neither missing nor existing: a request that is sent again must not bring back what somebody has withdrawn
 * meanwhile.
 */
export type DeclarationPrecondition = 'any' | 'missing' | ((etag: string) => boolean);

/** The declaration has another state than the one that was to be replaced. Nothing was changed. */
export class DeclarationChangedError extends Error {
  readonly code = 'DECLARATION_CHANGED';
  override name = 'DeclarationChangedError';

  constructor(mrn: string) {
    super(
      `The declaration ${mrn} has changed since it was read, or does not exist, or exists although it must not, or was withdrawn: read it again`,
    );
  }
}

/** Another one after each change of the declaration or of its house consignments. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Checks the state of a declaration that a request is about to change.
 *
 * @param existing the declaration under its lock
 * @throws DeclarationChangedError
 */
export function checkEtag(
  mrn: string,
  existing: ExistingDeclaration | undefined,
  precondition: DeclarationPrecondition,
): void {
  if (precondition === 'any') return;
  const isMet =
    precondition === 'missing'
      ? existing === undefined
      : existing !== undefined && !existing.withdrawn && precondition(etagOf(existing.version));
  if (!isMet) throw new DeclarationChangedError(mrn);
}
