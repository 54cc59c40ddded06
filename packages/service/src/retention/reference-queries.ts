// SQL of the retention of presentations above the house level, which are kept by their references.
import type { Statement } from '../database/database.js';
import { REFERENCE_LOCK } from '../database/locks.js';

/** A presentation of a reference; `isLocked`: whether nobody presents the reference now, or registers what it may reach. */
export type ReferenceRow = { number: number; isLocked: boolean };

/**
 * The next presentations of references after one that were made before a time. Locks their references as far as they are
 * free, as a presentation does: what is registered sees the presentation, or is seen by whoever removes it.
 */
export function lockOldReferences(
  before: Date,
  after: number,
  limit: number,
): Statement<ReferenceRow> {
  return {
    name: 'lock-old-references',
    text: `
      with old as materialized (
        select number, hashtext(reference) & 255 as lock from presented_reference
        where number > $2 and at < $1 order by number limit $3
      ),
      locked as materialized (
        select lock, pg_try_advisory_xact_lock(${REFERENCE_LOCK}, lock) as is_locked
        from (select distinct lock from old order by lock) wanted
      )
      select number, is_locked as "isLocked" from old join locked using (lock) order by number`,
    values: [before, after, limit],
  };
}

/**
 * Deletes those of the presentations that flag nothing which is kept, and whose goods are gone: presented ones that the
 * reference reaches, or the declaration itself. Call it in a statement after that which has locked the references.
 */
export function deleteReferences(numbers: readonly number[]): Statement<{ removed: number }> {
  return {
    name: 'delete-expired-references',
    text: `
      with due as materialized (
        select number from presented_reference p
        where number = any ($1::bigint[])
          and (select true from entered_house_consignment e where e.presentation = p.number limit 1) is null
          and case p.level
            when 'ENTRY_SUMMARY_DECLARATION' then (
              select true from entry_summary_declaration e where e.mrn = p.reference limit 1)
            when 'MASTER_CONSIGNMENT' then (
              select true from house_consignment h
              where h.master_document_key = p.reference and h.master_document_type = p.document_type
                and (p.mrn is null
                  or p.mrn = (select e.mrn from declaration e where e.id = h.ens_id limit 1))
                and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1)
              limit 1)
            when 'RECEPTACLE' then (
              select true from house_consignment h
              where h.receptacle_id = p.reference
                and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1)
              limit 1)
            when 'CONTAINER' then (
              select true from house_consignment_container c
              where c.container_id = p.reference
                and (select true from signal_recipient s
                  where s.house_consignment_id = c.house_consignment_id limit 1)
              limit 1)
          end is null
      ),
      gone as (
        delete from presented_reference where number = any (array(select number from due)) returning number
      )
      select count(*)::integer as removed from gone`,
    values: [numbers],
  };
}
