// What registers say of the documents that movement messages cite, by what is configured.
import {
  type DocumentKey,
  keyOfDocument,
  type ReferenceDocument,
  type ReferenceDocumentKind,
  type Registers,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type StoredDocument, selectDocuments } from './queries.js';

/** The part of the registers that is about documents. */
export type DocumentRegisters = Pick<Registers, 'documentState'>;

/** Looks up the documents that a batch of messages cites (`listCitedDocuments`), each once. */
export type FindRegisters = (cited: readonly ReferenceDocument[]) => Promise<DocumentRegisters>;

/** What is said of a document: that every one is taken, or what is registered, or that and a rule for the others. */
export type ReferenceDocumentSetting = 'unchecked' | 'loaded' | 'static';

export function makeFindRegisters(
  database: Queryable,
  setting: ReferenceDocumentSetting,
): FindRegisters {
  return async (cited) => {
    const keys = keysToLookUp(setting, cited);
    const rows = keys.length === 0 ? [] : await database.query(selectDocuments(keys));
    return makeRegisters(setting, rows);
  };
}

/** The documents that have to be looked up: for a statement of the transaction that stores the messages, too. */
export function keysToLookUp(
  setting: ReferenceDocumentSetting,
  cited: readonly ReferenceDocument[],
): DocumentKey[] {
  if (setting === 'unchecked') return [];
  const keys = cited.map(keyOfDocument);
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()];
}

/**
 * The registers, with what is registered of the documents that were looked up. A document that is not registered is
 * MISSING; with `static`, it is VALID or INVALID by a fixed rule.
 */
export function makeRegisters(
  setting: ReferenceDocumentSetting,
  found: readonly StoredDocument[],
): DocumentRegisters {
  if (setting === 'unchecked') return { documentState: () => 'VALID' };
  const states = new Map(found.map((row) => [nameOf(row), row.state]));
  return {
    documentState: (document) => {
      const key = keyOfDocument(document);
      const state = states.get(nameOf(key));
      if (state !== undefined) return state;
      if (setting === 'loaded') return 'MISSING';
      return isValidByRule[key.kind](key.reference) ? 'VALID' : 'INVALID';
    },
  };
}

const nameOf = ({ kind, reference }: DocumentKey) => `${kind} ${reference}`;

const matches = (pattern: RegExp) => (reference: string) =>
  pattern.test(reference) && !reference.includes('INVALID');

/** The documents that are valid in a playground, as in the national system for tests. */
const isValidByRule: Readonly<Record<ReferenceDocumentKind, (reference: string) => boolean>> = {
  CUDE: matches(/^123456789-10082022-(?:[1-9]|10)$/),
  N820: matches(/^[A-Z0-9]{18}$/),
  AES_EXPORT: matches(/^[A-Z0-9]{18}$/),
  EIDR_EXPORT: matches(/^[0-9]{2}SE[A-Z0-9]{11}AE[A-Z0-9]$/),
  VOEC: matches(/^2056550$/),
};
