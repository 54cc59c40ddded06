// SQL of reference documents.
import type { DocumentKey, ReferenceDocumentKind, RegisteredReference } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { HIGHEST_CHARACTER } from '../database/highest-character.js';
import { AWAITED_DOCUMENT_LOCK } from '../database/locks.js';
import { Parameters } from '../database/parameters.js';

export type DocumentState = RegisteredReference['state'];

/** A document and the state that it gets. */
export type StoredDocument = DocumentKey & { state: DocumentState };

/** A document before a block was stored, or as the block has written it. */
export type StoredRow = StoredDocument & { written: boolean; at: Date };

/**
 * Stores a block of documents, each at most once: those whose state is another one. Two blocks write the documents of both in
 * one order, so that neither waits for the other in turn; the one that commits last counts.
 *
 * @param at the time of a clock that was moved; without it, the database's
 * @returns the documents that were there before, with the state that they had, and those that were written
 */
export function storeDocuments(
  documents: readonly StoredDocument[],
  at: Date | undefined,
): Statement<StoredRow> {
  const given = new Parameters();
  return {
    name: 'store-reference-documents',
    text: `
      with recording as materialized (
        select record_time(${given.add(at, 'timestamptz')}) as at
      ),
      line as materialized (
        select sent.kind, sent.reference, sent.state, (
          select d.state from reference_document d where d.kind = sent.kind and d.reference = sent.reference
        ) as before
        from ${given.rows('sent', documents, {
          kind: ['text', ({ kind }) => kind],
          reference: ['text', ({ reference }) => reference],
          state: ['text', ({ state }) => state],
        })}
      ),
      written as (
        insert into reference_document (kind, reference, state, registered_at, changed_at)
        select kind, reference, state, at, at from line cross join recording where before is distinct from state
        order by kind collate "C", reference collate "C"
        on conflict (kind, reference) do update set state = excluded.state, changed_at = excluded.changed_at
          where reference_document.state <> excluded.state
        returning kind, reference, state
      )
      select kind, reference, before as state, false as written, at
      from line cross join recording where before is not null
      union all
      select kind, reference, state, true, at from written cross join recording`,
    values: given.values,
  };
}

/** Locks documents until the end of the transaction: shared by those who wait for them, alone by whoever registers them. */
export function lockDocuments(names: readonly string[], isShared: boolean): Statement {
  return {
    name: 'lock-reference-documents',
    text: `select lock_references(${AWAITED_DOCUMENT_LOCK}, $1::text[], $2)`,
    values: [names, isShared],
  };
}

/** The documents of these that are registered; each is read by its key. */
export function selectDocuments(keys: readonly DocumentKey[]): Statement<StoredDocument> {
  const given = new Parameters();
  return {
    name: 'select-reference-documents',
    text: `
      select d.kind, d.reference, d.state
      from ${given.rows('cited', keys, {
        kind: ['text', ({ kind }) => kind],
        reference: ['text', ({ reference }) => reference],
      })}
      cross join lateral (
        select * from reference_document where kind = cited.kind and reference = cited.reference offset 0
      ) d`,
    values: given.values,
  };
}

/** A document as it is found. */
export type FoundRow = StoredDocument & { registeredAt: Date; changedAt: Date };

/**
 * Finds documents whose reference has a beginning, by kind and reference.
 *
 * @param kinds which are searched, each after a reference
 */
export function findDocuments(
  kinds: readonly { kind: ReferenceDocumentKind; after: string }[],
  beginning: string,
  limit: number,
): Statement<FoundRow> {
  const given = new Parameters();
  const searched = given.rows('searched', kinds, {
    kind: ['text', ({ kind }) => kind],
    after: ['text', ({ after }) => after],
  });
  const count = given.add(limit, 'integer');
  return {
    name: 'find-reference-documents',
    text: `
      select d.kind, d.reference, d.state, d.registered_at as "registeredAt", d.changed_at as "changedAt"
      from ${searched}
      cross join lateral (
        select * from reference_document
        where kind = searched.kind and reference > searched.after
          and reference >= ${given.add(beginning, 'text')} and reference < ${given.add(`${beginning}${HIGHEST_CHARACTER}`, 'text')}
        order by reference limit ${count} offset 0
      ) d
      order by d.kind, d.reference limit ${count}`,
    values: given.values,
  };
}
