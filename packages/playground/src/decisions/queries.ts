// SQL of decisions that come late: finding the goods of a presentation, taking their decisions back, giving them back.
import type { PresentationPath } from '@landfall/contract';
import type { Statement } from '@landfall/service/assembly';
import type { DecidedGoods, GoodsKey, GoodsReference } from './goods.js';

/** The goods that a presentation reaches; its values are parameters from $2. */
const reached: Record<PresentationPath, string> = {
  'house-consignment':
    'h.document_key = identifier_key($2) and h.document_type = $3 and ($4::text is null or e.mrn = $4)',
  'master-consignment':
    'h.master_document_key = identifier_key($2) and h.master_document_type = $3 and ($4::text is null or e.mrn = $4)',
  container:
    'h.id in (select house_consignment_id from house_consignment_container where container_id = $2)',
  receptacle: 'h.receptacle_id = $2',
  'entry-summary-declaration': 'e.mrn = $2',
};

const PRESENTED =
  '(select true from signal_recipient s where s.house_consignment_id = h.id limit 1) is not null';

/** The number of the current decision of `h`, as the member `expected` of a decision names it; null without one. */
const CURRENT_NUMBER = `
        (
          select d.number from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
            and (h.routing is not null or d.routing = 'UNDECIDED')
          order by d.number desc limit 1
        )`.trim();

/** A row of goods. */
export type GoodsRow = GoodsKey & {
  id: string;
  type: DecidedGoods['transportDocumentHouseLevel']['type'];
  routing: DecidedGoods['routing'];
  location: NonNullable<DecidedGoods['routingControlLocation']> | null;
};

const COLUMNS = `h.id, e.mrn, h.document_number as number, h.document_type as type, h.routing,
          h.routing_control_location as location`;

/** The goods of a presentation that are decided and not yet presented, at most `limit`. */
export function selectDecided(
  { path, values }: GoodsReference,
  limit: number,
): Statement<GoodsRow> {
  return {
    name: `select-decided-${path}`,
    text: `
      select ${COLUMNS}
      from house_consignment h join declaration e on e.id = h.ens_id
      where ${reached[path]} and h.routing is not null and not ${PRESENTED}
      limit $1`,
    values: [limit, ...values],
  };
}

/** Appends a decision that a scenario makes to those of each row of `goods`: its id, its routing (null: undecided), its location. */
const appendDecisions = (goods: string, at: string) => `
      insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location, reason,
        request_id, origin)
      select id, (
          select coalesce(max(d.number), 0) + 1 from routing_decision d where d.house_consignment_id = id
        ), ${at}, coalesce(routing, 'UNDECIDED'), location, 'a scenario of the playground', gen_random_uuid()::text,
        -- Everybody may replace it.
        'REGISTRATION'
      from ${goods}`;

/** Takes the current decisions of these goods back, and returns the goods with what they were. */
export function takeDecisionsBack(
  { path, values }: GoodsReference,
  limit: number,
  at: Date,
): Statement<GoodsRow> {
  return {
    name: `take-decisions-back-${path}`,
    text: `
      with taken as materialized (
        select ${COLUMNS}
        from house_consignment h join declaration e on e.id = h.ens_id
        where ${reached[path]} and h.routing is not null and not ${PRESENTED}
        limit $1 for update of h
      ),
      changed as (
        update house_consignment h set routing = null, routing_control_location = null from taken where h.id = taken.id
      ),
      decided as (${appendDecisions(
        `(select id, null::text as routing, null::text as location from taken) undecided`,
        `$${values.length + 2}::timestamptz`,
      )}
      )
      select * from taken`,
    values: [limit, ...values, at],
  };
}

/** Which of these goods are presented now. The others get back a decision that was taken from them. */
export function settleDecisions(
  goods: readonly DecidedGoods[],
  at: Date,
): Statement<{ id: string; expected: number | null }> {
  return {
    name: 'settle-decisions',
    text: `
      with given as materialized (
        select h.id, given.routing, given.location, ${PRESENTED} as presented, ${CURRENT_NUMBER} as expected
        from unnest($1::uuid[], $2::text[], $3::text[]) given (id, routing, location)
        join house_consignment h on h.id = given.id
      ),
      restored as (
        update house_consignment h set routing = given.routing, routing_control_location = given.location
        from given where h.id = given.id and h.routing is null and not presented
        returning h.id, h.routing, h.routing_control_location as location
      ),
      decided as (${appendDecisions('restored', '$4::timestamptz')}
      )
      select id, expected from given where presented`,
    values: [
      goods.map(({ houseConsignmentId }) => houseConsignmentId),
      goods.map(({ routing }) => routing),
      goods.map(({ routingControlLocation }) => routingControlLocation ?? null),
      at,
    ],
  };
}

/** The goods of a presentation that are presented. */
export function selectPresented(
  { path, values }: GoodsReference,
  limit: number,
): Statement<GoodsKey & { expected: number | null }> {
  return {
    name: `select-presented-${path}`,
    text: `
      select e.mrn, h.document_number as number, h.document_type as type, ${CURRENT_NUMBER} as expected
      from house_consignment h join declaration e on e.id = h.ens_id
      where ${reached[path]} and ${PRESENTED}
      limit $1`,
    values: [limit, ...values],
  };
}

/** The number of an organisation. */
export function findOrganisationNumber(identifier: string): Statement<{ id: number }> {
  return {
    name: 'find-organisation-number',
    text: 'select id from organisation where identifier = $1',
    values: [identifier],
  };
}
