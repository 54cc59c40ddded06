// SQL of the history of a house consignment: the events of all tables in one order.
import { DECLARATION_EVENTS } from '../audit/audit-entry.js';
import type { Statement } from '../database/database.js';

/** The number of events, and all of them as JSON text. */
export type HistoryRow = { events: number; body: string };

/**
 * The history as JSON text. Events of the same millisecond, which only a clock that stands still has, are ordered by `step`,
 * and within a step by `sequence`: the number of a registration, three times that of a decision, or the position of a
 * signal. Who is given a signal by presenting has presented after a decision, a decision that issues signals came after a
 * presentation, and so did those after it; a presentation came after the decisions whose signals the presenter did not get.
 *
 * @param signals the number of the feed of routing signals
 * @param span maximum number of positions of one feed access
 */
export function selectHistory(id: string, signals: number, span: number): Statement<HistoryRow> {
  return {
    name: 'select-house-consignment-history',
    text: `
      with goods as materialized (
        select id, registration, ('${DECLARATION_EVENTS}' || lpad(to_hex(ens_id), 12, '0'))::uuid as declaration_events
        from (
          select id, ens_id, registration from house_consignment where id = $1
          union all select id, ens_id, registration from withdrawn_house_consignment where id = $1
        ) house
      ),
      pre_notification as (
        select goods.id, r.at, r.organisation_id, r.client_id, r.request_id
        from goods join registration r on r.id = goods.registration
      ),
      -- Those that are kept.
      signal as materialized (
        select * from (
          select owner, position, (
            select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
          )::json -> 'routingResult' as result
          from (
            select organisation_id as owner, signal_position as position from signal_recipient
            where house_consignment_id = $1 and signal_position is not null
            union
            select owner, position from issued_signal where house_consignment_id = $1
          ) issued
        ) found
        where result is not null
      ),
      -- Without its status, the time and the office of the first presentation are known, and of others nothing.
      presentation as (
        select presenter, request_id, coalesce(status ->> 'notificationDate', api_time(first_presented_at)) as at,
          coalesce(status ->> 'level', case when transport is not null then 'ARRIVAL' end) as level,
          (select mrn from declaration d where d.id = transport) as transport,
          (select mrn from declaration d where d.id = master) as master, coalesce(status ->> 'customsOfficeOfPresentation', office) as office, signalled,
          first_presented_at is not null as is_first,
          -- Who has presented gets the signals of all decisions that follow.
          coalesce((
            select max(decision) from issued_signal i
            where i.house_consignment_id = $1 and not exists (
              select from issued_signal own
              where own.house_consignment_id = $1 and own.owner = presenter and own.decision = i.decision
            )
          ), 0) as decisions
        from (
          select presenter, request_id, max(first_presented_at) as first_presented_at, max(office) as office,
            max(transport) as transport, max(master) as master, bool_or(signal_position is not null) as signalled,
            -- The UUID of an arrival may be that of a presentation of other goods too, of whoever has lodged the transport.
            case when max(transport) is null then (
              select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
            )::json end as status
          from signal_recipient where house_consignment_id = $1 group by presenter, request_id
        ) request
      ),
      audited as (
        select house_consignment_id, entry ->> 'at' as at, entry ->> 'action' as action,
          entry #>> '{actor,organisation}' as organisation, entry #>> '{actor,client}' as client,
          entry ->> 'requestId' as request_id, (entry #>> '{details,registration}')::bigint as registration,
          (entry -> 'details') - 'registration' as details
        from (
          select house_consignment_id, entry::jsonb as entry from consignment_event
          where house_consignment_id in (select id from goods union all select declaration_events from goods)
        ) found
      ),
      own_event as (select * from audited where house_consignment_id = $1),
      declaration_event as (
        select at, action, organisation, client, request_id, registration, details - 'mrn' as details
        from audited where house_consignment_id <> $1
      ),
      event as (
        select api_time(at) as at, 1 as step, 0::bigint as sequence, 'PRE_NOTIFIED' as event,
          (select identifier from organisation o where o.id = organisation_id) as organisation,
          client_id as client, request_id::text as request_id, null::jsonb as details
        from pre_notification
        union all
        -- Also when it was presented by itself later.
        select api_time(at), 1, 1, 'ADDED_AFTER_PRESENTATION', null, null, null, added::jsonb
        from pre_notification
        cross join lateral (select entered_after_presentation(id) as added offset 0) presentation
        where added is not null
        union all
        select at, 2, registration, upper(action), organisation, client, request_id, details from own_event
        union all
        -- Changes of its declaration since it was added, also while it was withdrawn, unless it is still.
        select at, 2, registration, upper(action), organisation, client, request_id, details from declaration_event change
        where registration > coalesce((select registration from goods), 0)
          and not exists (
            select from own_event gone
            where action = 'withdrawn' and gone.registration <= change.registration and not exists (
              select from own_event back
              where action = 'returned' and back.registration >= change.registration
                and back.registration > gone.registration
            ) and not exists (
              select from own_event back
              where action = 'returned' and back.registration > gone.registration
                and back.registration < change.registration
            )
          )
        union all
        select api_time(decided_at), case when signalled then 4 else 3 end, 3 * number, 'DECIDED',
          (select identifier from organisation o where o.id = organisation_id), client_id, request_id,
          jsonb_strip_nulls(jsonb_build_object('number', number, 'origin', origin,
            'takesEffect', nullif(takes_effect, true), 'routing', routing,
            'routingControlLocation', routing_control_location, 'reason', reason, 'decisionId', decision_id,
            'profile', profile, 'profileVersion', profile_version, 'profileRule', profile_rule, 'run', run_id))
        from routing_decision d
        cross join lateral (
          select exists (
            select from issued_signal i where i.house_consignment_id = d.house_consignment_id and i.decision <= d.number
          ) as signalled
        ) issued
        where house_consignment_id = $1
        union all
        select at, case when signalled or decisions > 0 then 4 else 2 end,
          3 * decisions + case when is_first then 1 else 2 end, 'PRESENTED',
          (select identifier from organisation o where o.id = presenter), null, request_id::text,
          jsonb_strip_nulls(jsonb_build_object('level', level, 'customsOfficeOfPresentation', office, 'transport', transport,
            'masterConsignment', master))
        from presentation where at is not null
        union all
        select result ->> 'documentIssueDate', 5, position, 'SIGNALLED',
          (select identifier from organisation o where o.id = owner), null, null,
          jsonb_strip_nulls(jsonb_build_object('id', result ->> 'id', 'routing', result ->> 'routing',
            'routingControlLocation', result ->> 'routingControlLocation'))
        from signal
        union all
        select api_time(min(r.at)), 6, s.position, 'READ',
          (select identifier from organisation o where o.id = s.owner), r.client_id, null,
          jsonb_build_object('id', s.result ->> 'id', 'days', count(distinct (r.at at time zone 'UTC')::date))
        from signal s
        join feed_access r on r.owner = s.owner and r.kind = $2
          and r.last_position >= s.position and r.last_position < s.position + $3 and r.first_position <= s.position
        group by s.owner, s.position, s.result ->> 'id', r.client_id
      )
      select count(*)::integer as events, '[' || coalesce(string_agg(
        json_strip_nulls(json_build_object('at', at, 'event', event, 'organisation', organisation,
          'client', client, 'requestId', request_id, 'details', details))::text, ','
        order by at, step, sequence, organisation), '') || ']' as body
      from event`,
    values: [id, signals, span],
  };
}
