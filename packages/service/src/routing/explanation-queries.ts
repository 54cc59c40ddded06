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

/**
 * The house consignments with a document to which an organisation is a party, or whose signals it receives: at most two of
 * them.
 *
 * @param key of the number of the document
 * @param examined how many house consignments with the document are examined, whosever they are
 */
export function selectExplained(
  organisationId: number,
  { key, type, mrn }: { key: string; type: string | undefined; mrn: string | undefined },
  examined: number,
): Statement<ExplainedRow> {
  return {
    name: 'select-explained',
    text: `
      select connection.connected is not null as presented, h.routing is not null as decided,
        connection.later is null as before, signal.id as marker, signal.at as "issuedAt"
      from (
        select id, ens_id, routing from house_consignment
        where document_key = $2 and ($3::text is null or document_type = $3)
          and ($4::text is null or ens_id = (select id from declaration where mrn = $4))
        limit $5
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
        where s.owner = $1 and s.position = coalesce(connection.later, connection.connected[1])
      ) signal on true
      where $1 in (e.declarant, e.representative) or connection.connected is not null
      limit 2`,
    values: [organisationId, key, type, mrn, examined],
  };
}
