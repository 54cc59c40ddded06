// Reads a line of reference documents, and what identifies the document.
import type { ValidationError } from './errors.js';
import { identifierKey } from './identifier-key.js';
import { isObject } from './is-object.js';
import type { ReferenceDocument } from './movement/registers.js';
import {
  CustomsDeclarationReference,
  NumberedReference,
  type ReferenceDocumentKind,
  ReferenceOfAnyKind,
  type RegisteredReference,
  referenceDocumentKinds,
} from './reference-document.js';
import { type Check, compileCheck } from './validation.js';

/** Compiled with the first document: every command loads this module, and few read one. */
const schemas = { declaration: CustomsDeclarationReference, numbered: NumberedReference };
const checks: Partial<Record<keyof typeof schemas | 'any', Check<RegisteredReference>>> = {};

/**
 * Reads a document of a register, as a line of an upload has it.
 *
 * @param value any JSON value
 * @returns the document, or every rule that it breaks
 * @example
 * readReferenceDocument({ kind: 'N820', referenceNumber: '26SE000000000001J1', state: 'VALID' });
 */
export function readReferenceDocument(
  value: unknown,
): { document: RegisteredReference } | { errors: readonly ValidationError[] } {
  const checked = checkOf(value)(value);
  return checked.valid ? { document: checked.value } : { errors: checked.errors };
}

function checkOf(value: unknown): Check<RegisteredReference> {
  const kind = isObject(value) ? value.kind : undefined;
  if (kind === 'CUDE') {
    checks.declaration ??= compileCheck(schemas.declaration, { refuseUnknown: true });
    return checks.declaration;
  }
  if (referenceDocumentKinds.some((one) => one === kind)) {
    checks.numbered ??= compileCheck(schemas.numbered, { refuseUnknown: true });
    return checks.numbered;
  }
  // Which members it should have is not known. It accepts nothing, because no kind is left.
  checks.any ??= compileCheck(ReferenceOfAnyKind);
  return checks.any;
}

/** What identifies a document: its kind, and its reference among those of the kind. */
export type DocumentKey = { kind: ReferenceDocumentKind; reference: string };

/**
 * What identifies a document, however its number is spelled.
 *
 * @example
 * keyOfDocument({ kind: 'CUDE', declarantNumber: '123456789', declarationDate: '2022-08-10', sequenceNumber: '01' });
 * // { kind: 'CUDE', reference: '123456789-10082022-1' }
 */
export function keyOfDocument(document: ReferenceDocument): DocumentKey {
  const { kind } = document;
  if (kind !== 'CUDE') return { kind, reference: identifierKey(document.referenceNumber) };
  const { declarantNumber, declarationDate, sequenceNumber } = document;
  const [year, month, day] = declarationDate.split('-');
  const reference = `${declarantNumber}-${day}${month}${year}-${Number(sequenceNumber)}`;
  return { kind, reference };
}

/** The document that a key identifies. */
export function documentOfKey({ kind, reference }: DocumentKey): ReferenceDocument {
  if (kind !== 'CUDE') return { kind, referenceNumber: reference };
  const [declarantNumber = '', day = '', sequenceNumber = ''] = reference.split('-');
  const declarationDate = `${day.slice(4)}-${day.slice(2, 4)}-${day.slice(0, 2)}`;
  return { kind, declarantNumber, declarationDate, sequenceNumber };
}
