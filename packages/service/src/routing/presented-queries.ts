// SQL of lodged goods that are presented and wait for a decision.
import type { Statement } from '../database/database.js';
import { type ConsignmentRow, FACTS } from './profile-queries.js';

/** Lodged goods, with whoever has lodged them. */
export type PresentedRow = ConsignmentRow & {
  submitterId: number;
  submitter: string;
  isIncomplete: boolean;
};

/** Those of these house consignments that were lodged and wait for a decision; whether each is incomplete. */
export function selectPresentedLodged(houses: readonly string[]): Statement<PresentedRow> {
  return {
    name: 'select-presented-lodged',
    text: `
      select ${FACTS}, m.submitter as "submitterId", cardinality(m.reasons) > 0 as "isIncomplete",
        (select identifier from organisation o where o.id = m.submitter) as submitter
      from house_consignment h join declaration e on e.id = h.ens_id join movement m on m.declaration_id = e.id
      where h.id = any ($1::uuid[]) and (h.routing is null or h.routing = 'ENTRY_PENDING' and (
        select origin from routing_decision d
        where d.house_consignment_id = h.id and d.takes_effect order by d.number desc limit 1
      ) = 'PROFILE')`,
    values: [houses],
  };
}

/** Undecided goods that were presented after others, in the order of their presentation; whether each was lodged. */
export function selectUndecidedLodged(
  after: { at: Date; id: string },
  limit: number,
): Statement<{ at: Date; id: string; isLodged: boolean }> {
  return {
    name: 'select-undecided-lodged',
    text: `
      select waiting.*, (
        select e.kind is not null from house_consignment h cross join lateral (
          select kind from declaration where id = h.ens_id offset 0
        ) e
        where h.id = waiting.id
      ) as "isLodged"
      from (
        select first_presented_at as at, house_consignment_id as id from signal_recipient
        where awaits_decision and (first_presented_at, house_consignment_id) > ($1::timestamptz, $2::uuid)
        order by first_presented_at, house_consignment_id limit $3
      ) waiting
      order by at, id`,
    values: [after.at, after.id, limit],
  };
}

/**
 * Messages that were replaced or completed after others, in that order, with their goods if these are presented and undecided:
 * a replacement or a reference document may have completed them long after they were presented.
 */
export function selectCompletedLodged(
  after: { at: Date; id: number },
  limit: number,
): Statement<{ at: Date; id: number; house: string | null }> {
  return {
    name: 'select-completed-lodged',
    text: `
      select replaced.*, (
        select h.id from house_consignment h
        where h.ens_id = replaced.id and coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING'
          and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1)
        limit 1
      ) as house
      from (
        select greatest(replaced_at, completed_at) as at, declaration_id as id from movement
        where (replaced_at is not null or completed_at is not null)
          and (greatest(replaced_at, completed_at), declaration_id) > ($1::timestamptz, $2::integer)
        order by greatest(replaced_at, completed_at), declaration_id limit $3
      ) replaced
      order by at, id`,
    values: [after.at, after.id, limit],
  };
}
