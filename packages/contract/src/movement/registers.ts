// What lies outside of a message and its rules ask for: registers, and the keys of other messages.
import { nationalCustomsOffices } from '../code-lists/customs-offices.js';
import type { RegisteredReference } from '../reference-document.js';
import type { RelatedType } from './schema/relation.js';

/** A document that a register may have. */
export type ReferenceDocument = WithoutState<RegisteredReference>;

type WithoutState<Document> = Document extends unknown ? Omit<Document, 'state'> : never;

/** What a register says of a document; `UNANSWERED` if it does not answer. */
export type DocumentState = 'VALID' | 'INVALID' | 'MISSING' | 'UNANSWERED';

/** What the registers say. The answers are there before the rules are asked. */
export type Registers = {
  /** Whether a customs office is in force, CL141. */
  isCustomsOffice(referenceNumber: string): boolean;
  /** Whether a place is in UN/LOCODE, CL144. Its form is checked before. */
  isUnloCode(code: string): boolean;
  documentState(document: ReferenceDocument): DocumentState;
  /** Whether another current message has the key. */
  isKeyTaken(key: string): boolean;
  /** Whether there is a current message of this type and of the mode with this MRN, whoever has lodged it. */
  isCurrent(mrn: string, type: RelatedType): boolean;
  /** Who lodges. */
  submitter: string;
};

const nationalOffices = new Set(nationalCustomsOffices.map((office) => office.referenceNumber));

/** The registers where nothing is loaded: the national customs offices, every place, and every document. */
export const uncheckedRegisters: Registers = {
  isCustomsOffice: (referenceNumber) => nationalOffices.has(referenceNumber),
  isUnloCode: () => true,
  documentState: () => 'VALID',
  isKeyTaken: () => false,
  isCurrent: () => true,
  submitter: '',
};
