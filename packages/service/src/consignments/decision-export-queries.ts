// SQL of the export of decisions with the records that have them.
import type { NamedEnd } from '../audit/read-record.js';
import type { Statement } from '../database/database.js';
import { KEPT_DECISION } from './decision-queries.js';

/**
 * Which record has each decision that was recorded since a time: a table of the transaction, so that the records are read
 * once. One record may have a decision that another one removes.
 */
export function collectRecords(since: Date): Statement {
  return {
    name: 'collect-decision-records',
    text: `
      insert into decision_record (digest, chain, position)
      select digest, chain, position from audited_row_record
      where table_name = 'routing_decision' and rows = 1 and recorded_at >= $1`,
    values: [since],
  };
}

/** Makes that table. */
export const MAKE_RECORDS = `
  create temporary table decision_record (digest text collate "C", chain integer, position bigint) on commit drop;
  create index on decision_record (digest)`;

/** The place of a decision in the order of the export. */
export type DecisionPlace = { at: string; house: string; number: number };

/** A decision as a line of the export, and its place. */
export type ExportedDecisionRow = DecisionPlace & { line: string; hasRecord: boolean };

/** The next decisions of a time, after one. */
export function selectExported(
  from: Date,
  to: Date,
  after: DecisionPlace | undefined,
  limit: number,
): Statement<ExportedDecisionRow> {
  return {
    name: 'select-exported-decisions',
    text: `
      select d.decided_at::text as at, d.house_consignment_id as house, d.number, found.chain is not null as "hasRecord",
        '{"decision":' || ${KEPT_DECISION}
          || ',"row":"' || translate(encode(contents, 'base64'), E'\\n', '') || '","digest":"' || audited_digest(contents)
          || '","record":' || case when found.chain is null then 'null' else json_build_object('chain', found.chain,
            'position', found.position, 'digest', encode(found.digest, 'hex'))::text end || '}' as line
      from (
        select * from routing_decision
        where decided_at >= $1 and decided_at < $2
          and (decided_at, house_consignment_id, number) > ($3::timestamptz, $4::uuid, $5::integer)
        order by decided_at, house_consignment_id, number limit $6
      ) d
      cross join lateral (select audited_contents(d::routing_decision) as contents offset 0) bytes
      left join lateral (
        select r.chain, r.position, r.digest
        from decision_record known join audit_record r on r.chain = known.chain and r.position = known.position
        where known.digest = audited_digest(contents)
        order by r.recorded_at desc limit 1
      ) found on true
      order by d.decided_at, d.house_consignment_id, d.number`,
    values: [
      from,
      to,
      after?.at ?? '-infinity',
      after?.house ?? '00000000-0000-0000-0000-000000000000',
      after?.number ?? 0,
      limit,
    ],
  };
}

/** Where the chains end, in the snapshot of the export. */
export const selectChainEnds: Statement<NamedEnd> = {
  name: 'select-chain-ends-of-export',
  text: `
    select chain, position, encode(digest, 'hex') as digest from audit_chain_end where position > 0 order by chain`,
  values: [],
};
