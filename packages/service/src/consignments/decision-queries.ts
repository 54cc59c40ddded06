// SQL that reads kept decisions: those of one house consignment, and those that match filters.
import type { RoutingDecisionQuery } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';

/** A row of routing_decision `d` in the form of the API. */
export const KEPT_DECISION = `json_strip_nulls(json_build_object('number', d.number,
          'houseConsignmentId', d.house_consignment_id, 'routing', d.routing,
          'routingControlLocation', d.routing_control_location, 'origin', d.origin, 'takesEffect', d.takes_effect,
          'decidedAt', api_time(d.decided_at),
          'decidedBy', (select identifier from organisation o where o.id = d.organisation_id), 'client', d.client_id,
          'requestId', d.request_id, 'reason', d.reason, 'decisionId', d.decision_id,
          'profile', case when d.profile is not null then
            json_build_object('name', d.profile, 'version', d.profile_version, 'rule', d.profile_rule) end,
          'run', d.run_id))::text`;

/** Whether a house consignment is kept, and its decisions as JSON text. */
export type DecisionsRow = { exists: boolean; body: string };

/** Every decision on a house consignment, in the order of their numbers. */
export function selectDecisions(id: string): Statement<DecisionsRow> {
  return {
    name: 'select-house-consignment-decisions',
    text: `
      select
        (select true from house_consignment where id = $1) is not null
          or (select true from withdrawn_house_consignment where id = $1) is not null as exists,
        '[' || coalesce(string_agg(${KEPT_DECISION}, ',' order by d.number), '') || ']' as body
      from routing_decision d where d.house_consignment_id = $1`,
    values: [id],
  };
}

/** A decision by its house consignment and number. */
export type DecisionKey = { house: string; number: number };

/** When a decision was made; no row if there is none. */
export function selectDecisionTime({ house, number }: DecisionKey): Statement<{ at: string }> {
  return {
    name: 'select-decision-time',
    text: `
      select decided_at::text as at from routing_decision where house_consignment_id = $1 and number = $2`,
    values: [house, number],
  };
}

/** The decisions of a page, each as JSON text; how many were examined, and the last of them. */
export type FoundDecisionsRow = {
  found: string[];
  examined: number;
  lastFound: string | null;
  lastExamined: string | null;
};

/**
 * The next decisions after one, by the time at which they were made, and those of them that match. With `decisionId`,
 * `decidedBy` must be given.
 *
 * @param after `at`: as `selectDecisionTime` has it
 * @param examined how many are examined
 */
export function findDecisions(
  { decidedBy, client, origin, profile, run, decisionId, reason, from, to }: RoutingDecisionQuery,
  after: (DecisionKey & { at: string }) | undefined,
  limit: number,
  examined: number,
): Statement<FoundDecisionsRow> {
  const given = new Parameters();
  const start = given.add(from ?? '-infinity', 'timestamptz');
  const end = given.add(to ?? 'infinity', 'timestamptz');
  const at = given.add(after?.at ?? '-infinity', 'timestamptz');
  const house = given.add(after?.house ?? '00000000-0000-0000-0000-000000000000', 'uuid');
  const number = given.add(after?.number ?? 0, 'integer');
  const maxExamined = given.add(examined, 'bigint');
  const by = given.add(decidedBy, 'text');
  const clientId = given.add(client, 'text');
  const originId = given.add(origin, 'text');
  const profileName = given.add(profile, 'text');
  const reasonPart = given.add(reason?.toLowerCase(), 'text');
  const maxFound = given.add(limit, 'bigint');
  // Each of these has an index, so that nothing else is examined.
  const runOnly =
    run === undefined
      ? ''
      : `
          and d.run_id = ${given.add(run, 'uuid')}`;
  const idOnly =
    decisionId === undefined
      ? ''
      : `
          and d.decision_id = ${given.add(decisionId, 'uuid')}
          and d.organisation_id = (select o.id from organisation o where o.identifier = ${by})`;
  const indexed = `${run === undefined ? '' : '-of-run'}${decisionId === undefined ? '' : '-with-id'}`;
  return {
    name: `find-decisions${indexed}`,
    text: `
      with candidate as materialized (
        select d.* from routing_decision d
        where d.decided_at >= greatest(${start}, ${at}) and d.decided_at < ${end}
          and (d.decided_at, d.house_consignment_id, d.number) > (${at}, ${house}, ${number})${runOnly}${idOnly}
        order by d.decided_at, d.house_consignment_id, d.number limit ${maxExamined}
      ),
      page as materialized (
        select d.*, row_number() over (order by d.decided_at, d.house_consignment_id, d.number) as place
        from candidate d
        where (${by} is null
            or d.organisation_id = (select o.id from organisation o where o.identifier = ${by}))
          and (${clientId} is null or d.client_id = ${clientId})
          and (${originId} is null or d.origin = ${originId})
          and (${profileName} is null or d.profile = ${profileName})
          and (${reasonPart} is null or strpos(lower(d.reason), ${reasonPart}) > 0)
        order by place limit ${maxFound}
      )
      select
        array(select ${KEPT_DECISION} from page d order by d.place) as found,
        (select count(*)::integer from candidate) as examined,
        (select house_consignment_id || '.' || d.number from page d order by d.place desc limit 1) as "lastFound",
        (
          select house_consignment_id || '.' || d.number from candidate d
          order by d.decided_at desc, d.house_consignment_id desc, d.number desc limit 1
        ) as "lastExamined"`,
    values: given.values,
  };
}
