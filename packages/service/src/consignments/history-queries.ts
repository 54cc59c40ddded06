// SQL of the history of a house consignment: what each table knows of it, in one order.
import type { Statement } from '../database/database.js';

/** How many events there are, and all of them as JSON text. */
export type HistoryRow = { events: number; body: string };

const identifierOf = (id: string) => `(select identifier from organisation o where o.id = ${id})`;

const timeText = (time: string) =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Everything that happened, as JSON text. Each part gives `at` as text, who, by which request, and details; and what
 * orders events of the same millisecond: `step`, the number of a decision and the position of a signal.
 *
 * @param signals the number of the feed of routing signals
 * @param span positions that one reading may stand for at most
 */
export function selectHistory(id: string, signals: number, span: number): Statement {
  return {
    name: 'select-house-consignment-history',
    text: `
      with signal as materialized (
        select owner, position, (
          select entry from routing_signal s where s.owner = signal.owner and s.position = signal.position limit 1
        )::json -> 'routingResult' as result
        from (
          select organisation_id as owner, signal_position as position from connection
          where house_consignment_id = $1 and signal_position is not null
          union
          select owner, position from issued_signal where house_consignment_id = $1
        ) signal
      ),
      presentation as materialized (
        select presenter, request_id, (
          select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
        )::json as status
        from (select distinct presenter, request_id from connection where house_consignment_id = $1) request
      ),
      happened as (
        select ${timeText('r.at')} as at, 1 as step, 'PRE_NOTIFIED' as event,
          ${identifierOf('r.organisation_id')} as organisation, r.client_id as client,
          r.request_id::text as request_id, null::jsonb as details, 0 as number, 0::bigint as position
        from house_consignment h join registration r on r.id = h.registration
        where h.id = $1
        union all
        -- Said of it for ever, also when it was presented by itself since.
        select ${timeText('r.at')}, 1, 'ADDED_AFTER_PRESENTATION', null, null, null, added::jsonb, 1, 0
        from house_consignment h join registration r on r.id = h.registration
        cross join lateral (select added_after_presentation(h.id) as added offset 0) presentation
        where h.id = $1 and added is not null
        union all
        select entry ->> 'at', 2, upper(entry ->> 'action'), entry #>> '{actor,organisation}',
          entry #>> '{actor,client}', entry ->> 'requestId', entry -> 'details', 0, 0
        from (select entry::jsonb as entry from consignment_event where house_consignment_id = $1) event
        union all
        select ${timeText('decided_at')}, 3, 'DECIDED', ${identifierOf('organisation_id')}, client_id, request_id,
          jsonb_strip_nulls(jsonb_build_object('number', number, 'routing', routing,
            'routingControlLocation', routing_control_location, 'reason', reason,
            'profile', profile, 'profileVersion', profile_version, 'profileRule', profile_rule)), number, 0
        from routing_decision where house_consignment_id = $1
        union all
        select status ->> 'notificationDate', 4, 'PRESENTED', ${identifierOf('presenter')}, null,
          request_id::text, jsonb_strip_nulls(jsonb_build_object('level', status ->> 'level',
            'customsOfficeOfPresentation', status ->> 'customsOfficeOfPresentation')), 0, 0
        from presentation
        union all
        select result ->> 'documentIssueDate', 5, 'SIGNALLED', ${identifierOf('owner')}, null, null,
          jsonb_strip_nulls(jsonb_build_object('id', result ->> 'id', 'routing', result ->> 'routing',
            'routingControlLocation', result ->> 'routingControlLocation')), 0, position
        from signal
        union all
        select ${timeText('min(r.at)')}, 6, 'READ', ${identifierOf('s.owner')}, r.client_id, null,
          jsonb_build_object('id', s.result ->> 'id', 'times', count(*)), 0, s.position
        from signal s
        join reading r on r.owner = s.owner and r.kind = $2
          and r.last_position >= s.position and r.last_position < s.position + $3 and r.first_position <= s.position
        group by s.owner, s.position, s.result ->> 'id', r.client_id
      )
      select count(*)::integer as events, '[' || coalesce(string_agg(
        json_strip_nulls(json_build_object('at', at, 'event', event, 'organisation', organisation,
          'client', client, 'requestId', request_id, 'details', details))::text, ','
        order by at, step, number, organisation, position), '') || ']' as body
      from happened`,
    values: [id, signals, span],
  };
}
