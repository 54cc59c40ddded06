// SQL that compares rows of other tables with the audit trail, and derives what the trail has no digest of.
import type { Statement } from '../database/database.js';
import type { FeedKind } from '../feed/feed.js';

/** A row that is not what the trail says. */
export type DifferingRow = {
  table: string;
  /** The record that has written it or has removed it last; null if none has. */
  chain: number | null;
  position: number | null;
  /** How often the trail has it more than the table. */
  rows: number;
  /** The key of a row that the trail does not have. */
  key: string | null;
};

/** The rows that the trail and the tables do not have equally often, all of one moment. */
export function selectDifferences(limit: number): Statement<DifferingRow> {
  return {
    name: 'select-audited-differences',
    text: `
      select table_name as table, chain, position, rows, key from audited_difference
      order by rows desc, chain, position, table_name, key limit $1`,
    values: [limit],
  };
}

/** The digest of what the records do not say of rows. */
export const selectRowBase: Statement<{ digest: string; rows: number }> = {
  name: 'select-audited-row-base',
  text: `select digest_audited_row_base() as digest, (select count(*) from (select from audited_row_base limit 1) one) as rows`,
  values: [],
};

/** A row whose columns contradict what they are derived from. */
export type ContradictingRow = { key: string };

/** A rule of rows: SQL that selects the keys of those that break it. `table` is named in the report. */
export type RowRule = {
  table: string;
  /** What it is about, if the table has several rules. */
  about?: string;
  problem: string;
  select: string;
};

/** The MRN of a status. No text within it has an unescaped quotation mark, and no error has such a member. */
const MRN_OF_STATUS = `nullif(split_part(split_part(s.entry, ',"mrn":"', 2), '"', 1), '')`;

/** How the text of a status begins. */
const BEGIN_OF_STATUS = `
          '{"requestId":"' || s.id || '","status":"' || case when s.failed then 'FAILURE' else 'SUCCESS' end || '"'`;

/** Rows that belong to a record of another table: that record, and what it says of them. */
const belongsTo = (table: string, member: string, differs: string) => `
      select row(e.chain, e.position, e.index)::text as key
      from (select *, row_number() over (partition by chain, position order by index) as number from ${table}) e
      left join audit_record r on r.chain = e.chain and r.position = e.position
      where r.position is null or strpos(r.entry, '${member}') = 0
        or e.index <> e.number or e.recorded_at <> r.recorded_at or e.at <> date_trunc('milliseconds', e.at)${differs}`;

/** Records of no operation: the pattern of their beginning. All that `api_time` gives has 24 characters. */
const OF_ROWS_ONLY = `{"at":"${'_'.repeat(24)}","action":"rows.%`;

/** What holds of rows that the trail has no digest of, or has the digest of one column only. */
export const rowRules: readonly RowRule[] = [
  {
    table: 'house_consignment',
    problem: 'its routing is not that of the last decision',
    select: `
      select h.id::text as key from house_consignment h
      left join lateral (
        select d.number, nullif(d.routing, 'UNDECIDED') as routing, d.routing_control_location as location
        from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
        order by d.number desc limit 1
      ) last on true
      -- Servers of the release before registered decisions without a row.
      where (h.routing, h.routing_control_location) is distinct from case
          when last.number is null then (h.registered_routing, h.registered_control_location)
          else (last.routing, last.location) end`,
  },
  ...['house_consignment', 'withdrawn_house_consignment'].map((table) => ({
    table,
    about: 'keys',
    problem: 'its keys are not those of its documents',
    select: `
      select id::text as key from ${table}
      where (document_key, master_document_key)
        is distinct from (identifier_key(document_number), identifier_key(master_document_number))`,
  })),
  {
    table: 'signal_recipient',
    problem: 'whether its goods wait for a decision is not what their decision says',
    select: `
      select row(s.house_consignment_id, s.organisation_id)::text as key from signal_recipient s
      left join house_consignment h on h.id = s.house_consignment_id
      where s.awaits_decision is distinct from
        case when s.first_presented_at is not null and h.id is not null and h.routing is null then true end`,
  },
  {
    table: 'validation_status',
    problem: 'its columns are not what its text says',
    select: `
      select row(s.owner, s.position)::text as key from validation_status s
      left join declaration e on e.id = s.ens_id
      where not starts_with(s.entry, ${BEGIN_OF_STATUS})
        or (s.ens_id is null) <> (${MRN_OF_STATUS} is null)
        or e.mrn <> ${MRN_OF_STATUS}
        or s.ens_id is not null and e.id is null
          and exists (select from declaration other where other.mrn = ${MRN_OF_STATUS})`,
  },
  {
    table: 'movement_status',
    problem: 'its columns are not what its text says',
    select: `
      select row(s.owner, s.position)::text as key from movement_status s
      where not starts_with(s.entry, ${BEGIN_OF_STATUS})`,
  },
  {
    table: 'routing_signal',
    problem: 'its id is not that of its text',
    select: `
      select row(s.owner, s.position)::text as key from routing_signal s
      where strpos(s.entry, ',"routingResult":{"id":"' || s.id || '","routing":"') = 0`,
  },
  {
    table: 'consignment_event',
    problem: 'no record has it, or its number or time is another one',
    select: belongsTo(
      'consignment_event',
      '"eventsDigest":"',
      ` or not starts_with(e.entry, '{"at":"' || api_time(e.at) || '"')`,
    ),
  },
  {
    table: 'feed_access',
    problem: 'no record has it, or its number or time is another one',
    select: belongsTo('feed_access', '"feedAccesses":[', ''),
  },
  {
    table: 'audit_record',
    about: 'transaction',
    // Every operation has a record that says what it is. An acceptance says how many rows it has accepted before it.
    problem:
      'it has rows that were changed beside every operation: by hand, or after they were accepted',
    select: `
      select row(min(chain), min(position))::text as key
      from (
        select r.chain, r.position, r.xmin::text as transaction, entry, of_rows_only,
          -- The record of its operation may have been removed.
          position = first and first > 1 as is_cut
        from audit_record r
        cross join lateral (select substr(entry, 1, 60) like '${OF_ROWS_ONLY}' as of_rows_only) begin
        join (select chain, min(position) as first from audit_record group by chain) kept on kept.chain = r.chain
      ) records
      group by transaction
      having bool_and(of_rows_only) and not bool_or(is_cut)
        and bool_or(case when of_rows_only then strpos(entry, ',"rowDigests":"') > 0 end)`,
  },
  {
    table: 'audit_chain_end',
    problem: 'it is not one of the chains, or not the begin of one without records',
    select: `
      select coalesce(e.chain, every.chain)::text as key
      from audit_chain_end e full join generate_series(1, 32) every (chain) on every.chain = e.chain
      where e.chain is null or e.position = 0 and (every.chain is null or e.digest <> '')`,
  },
];

/** The state of a feed is where its entries end and begin, and none is of a kind that there is not. */
export function feedStateRule(kinds: readonly FeedKind[]): RowRule {
  const entries = kinds
    .filter(({ audited }) => audited)
    .map(
      ({ number, table }) => `
        select ${number} as kind, owner, max(position) as last, count(*) as entries from ${table} group by owner`,
    );
  const others = kinds.filter(({ audited }) => !audited).map(({ number }) => number);
  return {
    table: 'feed_state',
    problem: 'it is not where the entries of its feed end and begin',
    select: `
      select row(coalesce(s.kind, e.kind), coalesce(s.owner, e.owner))::text as key
      from (select * from feed_state where kind <> all ('{${others.join(',')}}')) s
      full join (${entries.join(`
        union all`)}
      ) e on e.kind = s.kind and e.owner = s.owner
      where s.position is distinct from e.last or s.position - s.removed_position is distinct from e.entries`,
  };
}

/** Up to `limit` rows that break a rule. */
export function selectContradicting(
  { table, about, select }: RowRule,
  limit: number,
): Statement<ContradictingRow> {
  return {
    name: `select-contradicting-${[...table.split('_'), about ?? []].flat().join('-')}`,
    text: `${select}
      limit $1`,
    values: [limit],
  };
}
