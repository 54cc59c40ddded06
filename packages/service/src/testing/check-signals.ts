// Checks in the database that every recipient has exactly the signals that it must have.
import type { Queryable } from '../database/database.js';

/**
 * Each recipient of a house consignment with its signals in the order of their positions: the first, which the
 * presentation issued if the consignment was decided, and those of later decisions that changed the routing. `decision`
 * counts these: it is the one that the signal must contain.
 */
const expected = `
  with changing as (
    select *, row_number() over (partition by house_consignment_id order by number) as step
    from (
      select *, lag(routing) over steps as routing_before, lag(routing_control_location) over steps as location_before
      from routing_decision where takes_effect window steps as (partition by house_consignment_id order by number)
    ) effective
    where (routing, routing_control_location) is distinct from (routing_before, location_before)
  ),
  given as (
    select c.house_consignment_id as house, c.organisation_id as owner, c.signal_position,
      (select count(*) from changing d where d.house_consignment_id = c.house_consignment_id) as decisions,
      (select count(*) from issued_signal i
        where i.house_consignment_id = c.house_consignment_id and i.owner = c.organisation_id) as issued,
      -- Of whoever was connected while a decision was taken back: the decisions since then.
      (select count(*) from changing d where d.house_consignment_id = c.house_consignment_id and d.number > coalesce((
        select max(taken_back.number) from changing taken_back
        where taken_back.house_consignment_id = c.house_consignment_id and taken_back.routing = 'UNDECIDED'
          and taken_back.number < (select min(i.decision) from issued_signal i
            where i.house_consignment_id = c.house_consignment_id and i.owner = c.organisation_id)
      ), 0)) as due
    from signal_recipient c
  ),
  signal as (
    select house, owner, signal_position as position, decisions - issued as decision
    from given where signal_position is not null
    union all
    select i.house_consignment_id, owner, position, step from issued_signal i
    join changing d on d.house_consignment_id = i.house_consignment_id and d.number = i.decision
  )`;

/** Each violation of the promises, and a query that counts it. */
const violations: Record<string, string> = {
  'signals of a feed are not numbered from 1 without a gap': `
    select count(*) as broken from (
      select owner from routing_signal group by owner having count(*) <> max(position) or min(position) <> 1
    ) gap`,
  'a signal belongs to no recipient, or to two': `
    ${expected}
    select count(*) as broken from (
      select owner, position from (
        select owner, position, 1 as claims from signal union all select owner, position, -1 from routing_signal
      ) both_sides
      group by owner, position having sum(claims) <> 0
    ) unequal`,
  'an organisation lacks the signal of a decision': `
    ${expected}
    select count(*) as broken from given
    where issued <> (
        select count(*) from signal s
        where s.house = given.house and s.owner = given.owner
          and s.decision between decisions - issued + 1 and decisions)
      or (signal_position is null and issued <> due)`,
  'signals of a consignment are not in the order of its decisions': `
    ${expected}
    select count(*) as broken from (
      select decision, lag(decision) over (partition by house, owner order by position) as before from signal
    ) in_order where before + 1 <> decision`,
  'a signal differs from its decision': `
    ${expected}
    select count(*) as broken
    from signal join routing_signal s using (owner, position)
    join changing d on d.house_consignment_id = house and d.step = decision
    join house_consignment h on h.id = house
    cross join lateral new_signal(s.owner, arrived_signal_head(h.signal_head, house), d.routing, d.routing_control_location,
      s.entry::json -> 'routingResult' ->> 'documentIssueDate') expected
    where s.entry <> expected.head || s.id || expected.tail`,
  'the routing of a consignment is not its last decision': `
    select count(*) as broken
    from routing_decision d join house_consignment h on h.id = d.house_consignment_id
    where d.number = (select max(number) from routing_decision l where l.house_consignment_id = h.id and l.takes_effect)
      and (nullif(d.routing, 'UNDECIDED'), d.routing_control_location) is distinct from (h.routing, h.routing_control_location)`,
  'decisions of a consignment are not numbered from 1 without a gap': `
    select count(*) as broken from (
      select number, row_number() over (partition by house_consignment_id order by number) as step
      from routing_decision
    ) numbered where number <> step`,
};

/** A description of each violation; none if all promises hold. */
export async function checkSignals(database: Queryable): Promise<string[]> {
  const broken: string[] = [];
  for (const [violation, text] of Object.entries(violations)) {
    const [row] = await database.query<{ broken: number }>({ name: '', text, values: [] });
    if (row?.broken !== 0) broken.push(`${violation} (${row?.broken})`);
  }
  return broken;
}
