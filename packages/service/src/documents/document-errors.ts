// Why a document is not taken, in the terms of documents.
import type { ValidationError } from '@landfall/contract';

/** What was uploaded breaks a rule. */
export class DocumentRefusedError extends Error {
  readonly code = 'DOCUMENT_REFUSED';
  override name = 'DocumentRefusedError';
  readonly errors: readonly ValidationError[];

  constructor(...errors: readonly ValidationError[]) {
    super('the document breaks a rule');
    this.errors = errors;
  }
}

/** There is no such document. */
export class DocumentNotFoundError extends Error {
  readonly code = 'DOCUMENT_NOT_FOUND';
  override name = 'DocumentNotFoundError';

  constructor() {
    super('There is no document with this id, or it is no longer kept');
  }
}
