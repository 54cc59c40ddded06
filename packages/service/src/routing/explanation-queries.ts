// SQL of explaining why an organisation reads no signal of a house consignment.
import type { Statement } from '../database/database.js';

/** Goods of which an organisation may know. */
export type ExplainedRow = {
  presented: boolean;
  decided: boolean;
  /** Whether its last signal was added when it was connected, so that the decision was there before. */
  before: boolean;
  /** The last signal of these goods in its feed, if it is kept. */
  marker: string | null;
  issuedAt: string | null;
};

/** A document as somebody asks about it. */
export type ExplainedDocument = {
  /** The key of its number. */
  key: string;
  /** The types that it may have. */
  types: readonly string[];
  mrn: string | undefined;
};

/**
 * The house consignments with a document to which an organisation is a party, or whose signals it receives: at most two of
 * them. What is read is limited before it is filtered, so a number that many others have takes no longer.
 *
 * @param examined how many house consignments with the document are examined, whosever they are
 */
export function selectExplained(
  organisationId: number,
  { key, types, mrn }: ExplainedDocument,
  examined: number,
): Statement<ExplainedRow> {
  const goods =
    mrn === undefined
      ? `select * from house_consignment where document_key = $2 limit $4`
      : `select h.*
        from (select id from declaration where mrn = $5) e
        cross join lateral (
          select * from house_consignment where document_key = $2 and ens_id = e.id limit $4
        ) h`;
  return {
    name: `select-explained${mrn === undefined ? '' : '-with-mrn'}`,
    text: `
      select connection.connected is not null as presented, h.routing is not null as decided,
        connection.later is null as before, signal.id as marker, signal.at as "issuedAt"
      from (
        ${goods}
      ) h
      cross join lateral (select declarant, representative from declaration where id = h.ens_id offset 0) e
      cross join lateral (
        select (
            select array[signal_position] from signal_recipient c
            where c.house_consignment_id = h.id and c.organisation_id = $1 limit 1
          ) as connected,
          (
            select max(i.position) from issued_signal i where i.house_consignment_id = h.id and i.owner = $1
          ) as later
      ) connection
      left join lateral (
        select id, entry::json #>> '{routingResult,documentIssueDate}' as at from routing_signal s
        where s.owner = $1 and s.position = coalesce(connection.later, connection.connected[1]) limit 1
      ) signal on true
      where h.document_type = any ($3::text[])
        and ($1 in (e.declarant, e.representative) or connection.connected is not null)
      limit 2`,
    values: [organisationId, key, types, examined, ...(mrn === undefined ? [] : [mrn])],
  };
}
