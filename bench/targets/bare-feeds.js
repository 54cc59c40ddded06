// The least that a careful engineer could write by hand for the rows that Landfall writes for a presentation of a house
// consignment: node:http and `pg`, one call of the database for a batch, two batches in flight. It takes any body and any
// token, and has no errors, limits, audit trail or announcements. `bare-feeds.test.js` compares its rows with Landfall's.
import { createServer } from 'node:http';
import pg from 'pg';

const [port, url, isFirst = 'true'] = process.argv.slice(2);
const MAX_BATCH = 256;
const MAX_IN_FLIGHT = 2;

/** The same tables and indexes, in a schema of their own, and the two statements. */
const schema = `
  drop schema if exists bare cascade;
  create schema bare;
  create table bare.validation_status (like validation_status including all);
  create table bare.signal_recipient (like signal_recipient including all);
  create table bare.routing_signal (like routing_signal including all);
  create function bare.present(presenters integer[], ids uuid[], documents text[], types text[], offices text[], at text)
    returns boolean[] language plpgsql set plan_cache_mode = force_generic_plan as $$
  declare
    outcomes boolean[];
  begin
    -- Every organisation whose feeds may grow, in one order, so that no two batches wait for each other.
    perform pg_advisory_xact_lock(77, owner) from (
      select unnest(presenters) as owner
      union
      select unnest(array[e.declarant, e.representative]) from unnest(documents, types) as r (document, type)
        join house_consignment h on h.document_number = r.document and h.document_type = r.type
        join declaration e on e.id = h.ens_id
      order by owner
    ) owners where owner is not null;
    -- A statement of its own, because it has to see what was committed before the locks.
    with found as materialized (
      select r.*, h.*, count(house) over requests as houses, row_number() over requests as row_of_request,
        (select true from bare.validation_status s where s.owner = presenter and s.id = r.id) is null as is_new
      from unnest(presenters, ids, documents, types, offices) with ordinality
        as r (presenter, id, document, type, office, number)
      left join lateral (
        select h.id as house, e.id as ens, e.mrn, signal_head as head, routing, routing_control_location as location,
          declarant, representative
        from house_consignment h join declaration e on e.id = h.ens_id
        where h.document_number = r.document and h.document_type = r.type
      ) h on true
      window requests as (partition by number)
    ),
    recipient as (
      select f.*, owner, routing is not null as signalled
      from found f cross join lateral (values (presenter), (nullif(declarant, presenter)),
        (case when representative not in (presenter, declarant) then representative end)) parties (owner)
      where is_new and houses = 1 and owner is not null and (
        select true from bare.signal_recipient c where c.house_consignment_id = house and c.organisation_id = owner) is null
    ),
    positioned as materialized (
      select r.*, case when signalled then step + max(last) over (partition by owner) end as position
      from (
        select r.*, count(*) filter (where signalled) over owners as step, case when row_number() over owners = 1 then
          coalesce((select max(position) from bare.routing_signal s where s.owner = r.owner), 0) end as last
        from recipient r window owners as (partition by owner order by number)
      ) r
    ),
    statuses as (
      insert into bare.validation_status (owner, position, id, failed, ens_id, entry)
      select presenter, step + max(last) over (partition by presenter),
        id, houses <> 1, case when houses = 1 then ens end,
        validation_status_entry(id::text, houses <> 1, 'HOUSE_CONSIGNMENT', at, case when houses = 1 then mrn end, office, houses,
          case when houses <> 1 then '{"code":"REFERENCE_NOT_FOUND"}' end)
      from (
        select *, row_number() over owners as step, case when row_number() over owners = 1 then
          coalesce((select max(position) from bare.validation_status s where s.owner = presenter), 0) end as last
        from found where is_new and row_of_request = 1 window owners as (partition by presenter order by number)
      ) numbered
    ),
    recipients as (
      insert into bare.signal_recipient
      select house, owner, presenter, id, position, case when owner = declarant then at::timestamptz end,
        case when owner = declarant then office end, case when owner = declarant and routing is null then true end
      from positioned
    ),
    signals as (
      insert into bare.routing_signal
      select owner, position, marker, head || ',"routingResult":{"id":"' || marker || '","routing":"' || routing
        || coalesce('","routingControlLocation":"' || location, '') || '","documentIssueDate":"' || at || '"}}'
      from (select *, gen_random_uuid() as marker from positioned where signalled offset 0) minted
    )
    select array_agg(is_new and houses = 1 order by number) into outcomes from found where row_of_request = 1;
    return outcomes;
  end $$;`;

// One session, to which the next batch is sent while the previous one is committed.
const client = new pg.Client({ connectionString: url, pipeline: true });
await client.connect();
if (isFirst === 'true') await client.query(schema);
const { rows } = await client.query(`
  select id, right(identifier, 9)::integer - 810000000 as number from organisation where identifier like '0192:81%'`);
const organisations = new Map(rows.map(({ id, number }) => [String(number), id]));

let queue = [];
let gathers = false;
/** The sizes of the batches in flight. */
const inFlight = [];

/** Sends the waiting requests, unless two batches are in flight, or the one in flight is larger than the next. */
async function commit() {
  const least = Math.min(MAX_BATCH, inFlight[0] ?? 1);
  if (queue.length < least || inFlight.length === MAX_IN_FLIGHT) return;
  const batch = takeBatch();
  inFlight.push(batch.length);
  const column = (name) => batch.map((waiting) => waiting[name]);
  const values = ['owner', 'requestId', 'document', 'type', 'office'].map(column);
  const result = await client.query({
    name: 'present',
    text: 'select bare.present($1, $2, $3, $4, $5, $6) as outcomes',
    values: [...values, new Date().toISOString()],
  });
  inFlight.shift();
  commit();
  for (const [index, { respond }] of batch.entries()) respond(result.rows[0].outcomes[index]);
}

/** Two requests with one id, or for the same goods, are in different batches: the second sees the rows of the first. */
function takeBatch() {
  const keys = new Set();
  const batch = [];
  queue = queue.filter((waiting) => {
    const { requestId, document } = waiting;
    if (batch.length === MAX_BATCH || keys.has(requestId) || keys.has(document)) return true;
    keys.add(requestId).add(document);
    batch.push(waiting);
    return false;
  });
  return batch;
}

/** Commits after this turn of the event loop, so that the requests that arrived in it share a batch. */
function submit(waiting) {
  queue.push(waiting);
  if (gathers) return;
  gathers = true;
  setImmediate(() => {
    gathers = false;
    commit();
  });
}

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const { requestId, customsOfficeOfPresentation: office, ...body } = JSON.parse(text);
    const { documentNumber: document, type } = body.transportDocumentHouseLevel;
    // A token ends with the number of its organisation.
    const owner = organisations.get(/\d+$/.exec(request.headers.authorization)[0]);
    const respond = (isAccepted) => {
      const sent = isAccepted ? `{"requestId":"${requestId}"}` : '{"title":"refused"}';
      response.writeHead(isAccepted ? 202 : 400, {
        'content-type': 'application/json',
        'content-length': sent.length,
      });
      response.end(sent);
    };
    submit({ owner, requestId, document, type, office, respond });
  });
});
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
process.on('SIGTERM', () => process.exit());
