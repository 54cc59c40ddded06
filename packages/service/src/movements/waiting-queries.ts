// SQL of house consignments that wait for documents which registers did not have.
import type { DocumentKey } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';

/** A document that a message waits for. */
export type AwaitedRow = { id: number } & DocumentKey;

export function insertAwaited(awaited: readonly AwaitedRow[]): Statement {
  const given = new Parameters();
  return {
    name: 'insert-awaited-documents',
    text: `
      insert into awaited_document (declaration_id, kind, reference)
      select id, kind, reference
      from ${given.rows('a', awaited, {
        id: ['integer', ({ id }) => id],
        kind: ['text', ({ kind }) => kind],
        reference: ['text', ({ reference }) => reference],
      })}`,
    values: given.values,
  };
}

/** Removes what a message waited for, before it is replaced. */
export function deleteAwaited(id: number): Statement {
  return {
    name: 'delete-awaited-documents',
    text: 'delete from awaited_document where declaration_id = $1',
    values: [id],
  };
}

/** A message that waits for some of the documents: the indexes of these, its goods, and whose feeds are locked when those are presented. */
export type WaitingRow = {
  id: number;
  mrn: string;
  house: string | null;
  organisations: number[];
  documents: number[];
};

/** The current messages that wait for documents. */
export function selectWaiting(documents: readonly DocumentKey[]): Statement<WaitingRow> {
  const given = new Parameters();
  return {
    name: 'select-waiting-movements',
    text: `
      select m.declaration_id as id, d.mrn, (select h.id from house_consignment h where h.ens_id = d.id) as house,
        array_remove(array[m.submitter, m.representative], null) as organisations,
        waiting.documents
      from (
        select a.declaration_id, array_agg((sent.number - 1)::integer) as documents
        from ${given.rows('sent', documents, {
          kind: ['text', ({ kind }) => kind],
          reference: ['text', ({ reference }) => reference],
        })}
        cross join lateral (
          select declaration_id from awaited_document where reference = sent.reference and kind = sent.kind offset 0
        ) a
        group by a.declaration_id
      ) waiting
      join movement m on m.declaration_id = waiting.declaration_id and m.state is null
      join declaration d on d.id = m.declaration_id
      order by d.mrn`,
    values: given.values,
  };
}

/** Messages do not wait for these documents any more; gives the kind of each that is there now. */
export function deleteFound(
  ids: readonly number[],
  documents: readonly DocumentKey[],
): Statement<{ id: number; kind: string }> {
  const given = new Parameters();
  return {
    name: 'delete-found-documents',
    text: `
      delete from awaited_document a
      using ${given.rows('sent', documents, {
        kind: ['text', ({ kind }) => kind],
        reference: ['text', ({ reference }) => reference],
      })}
      where a.kind = sent.kind and a.reference = sent.reference and a.declaration_id = any (${given.add(ids, 'integer[]')})
      returning a.declaration_id as id, a.kind`,
    values: given.values,
  };
}

/** A message that has lost a reason, and its goods. */
export type VerifiedRow = {
  mrn: string;
  mode: string;
  house: string;
  isComplete: boolean;
  presented: boolean;
  routing: string | null;
};

/** Takes away the reasons of messages that wait for no document of a kind any more, by its kind. */
export function removeReasons(
  found: readonly { id: number; kind: string }[],
  reasons: readonly { kind: string; reason: string }[],
  at: Date,
): Statement<VerifiedRow> {
  const given = new Parameters();
  const recordedAt = given.add(at, 'timestamptz');
  return {
    name: 'remove-reasons-of-movements',
    text: `
      with verified as materialized (
        select distinct f.id, r.reason
        from ${given.rows('f', found, {
          id: ['integer', ({ id }) => id],
          kind: ['text', ({ kind }) => kind],
        })}
        join ${given.rows('r', reasons, {
          kind: ['text', ({ kind }) => kind],
          reason: ['text', ({ reason }) => reason],
        })} on r.kind = f.kind
        where (select true from awaited_document a where a.declaration_id = f.id and a.kind = f.kind limit 1) is null
      ),
      remaining as materialized (
        select m.declaration_id as id, array(
          select reason from unnest(m.reasons) with ordinality as left_over (reason, number)
          where reason not in (select v.reason from verified v where v.id = m.declaration_id)
          order by number
        ) as reasons
        from movement m where m.declaration_id in (select id from verified)
      ),
      changed as (
        update movement m set reasons = remaining.reasons,
          completed_at = case when remaining.reasons = '{}' then ${recordedAt} else completed_at end
        from remaining where m.declaration_id = remaining.id
        returning m.declaration_id as id, m.mode, m.reasons
      )
      select d.mrn, changed.mode, h.id as house, changed.reasons = '{}' as "isComplete", h.routing,
        (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
      from changed
      join declaration d on d.id = changed.id
      join house_consignment h on h.ens_id = changed.id
      order by d.mrn`,
    values: given.values,
  };
}
