// The least that a careful engineer could write by hand for the rows that Landfall writes for a house consignment that is
// lodged: node:http and `pg`, one call of the database for a batch, two batches in flight. It takes any complete message by
// road under a master consignment and any token, and has no rules, registers, locks of goods, audit trail or announcements.
// `bare-lodging.test.js` compares its rows with Landfall's.
import { randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { makeMovementMrn } from '../../packages/contract/dist/index.js';
import { newId } from '../../packages/service/dist/new-id.js';

const [port, url, isFirst = 'true'] = process.argv.slice(2);
const MAX_BATCH = 256;
const MAX_IN_FLIGHT = 2;

/** What a row of a batch has, and its types. */
const COLUMNS = `owner integer, request_id uuid, key text, mrn text, house uuid, document text, type text, master text,
  master_type text, carrier text, party integer, weight numeric, procedure text, country text, listed text, head text, client text,
  entry text, body text`;

/** The same tables and indexes, in a schema of their own, and the statement. */
const schema = `
  drop schema if exists bare cascade;
  create schema bare;
  create table bare.registration (like registration including all);
  create table bare.declaration (like declaration including all);
  create table bare.movement (like movement including all);
  create table bare.movement_text (like movement_text including all);
  create table bare.house_consignment (like house_consignment including all);
  create table bare.movement_status (like movement_status including all);
  create sequence bare.declaration_number;
  create sequence bare.registration_number;
  create function bare.lodge(batch json, at timestamptz) returns text[] language plpgsql
    set plan_cache_mode = force_generic_plan as $$
  declare
    outcomes text[];
  begin
    -- Every organisation whose statuses grow, in one order, so that no two batches wait for each other.
    perform pg_advisory_xact_lock(78, owner) from (
      select distinct owner from json_to_recordset(batch) m (owner integer) order by owner
    ) owners;
    -- A statement of its own, because it has to see what was committed before the locks.
    with given as materialized (
      select m.*, row_number() over () as number, nextval('bare.declaration_number')::integer as id,
        nextval('bare.registration_number') as registration
      from json_to_recordset(batch) m (${COLUMNS})
    ),
    fresh as materialized (
      select * from given g
      where (select true from bare.movement_status s where s.owner = g.owner and s.id = g.request_id) is null
    ),
    claimed as (
      insert into bare.movement (declaration_id, level, mode, submitter, key, request_id, lodged_at, document_number,
        document_type, house_key, carrier, weight, import_procedure, consignor_country, listed, reasons)
      select id, 'HOUSE_CONSIGNMENT', 'road', owner, key, request_id, at, document, type, document, carrier, weight,
        procedure, country, listed, '{}'
      from fresh order by key
      on conflict (key) where state is null do nothing
      returning declaration_id
    ),
    lodged as materialized (
      select f.*, c.declaration_id is not null as is_lodged
      from fresh f left join claimed c on c.declaration_id = f.id
    ),
    registrations as (
      insert into bare.registration (id, at, organisation_id, client_id, request_id) overriding system value
      select registration, at, owner, client, request_id from lodged where is_lodged
    ),
    declarations as (
      insert into bare.declaration (id, mrn, kind, declarant, carrier, version) overriding system value
      select id, mrn, 'HOUSE', owner, party, registration from lodged where is_lodged
    ),
    texts as (
      insert into bare.movement_text select id, body from lodged where is_lodged
    ),
    houses as (
      insert into bare.house_consignment (id, ens_id, document_number, document_type, master_document_number,
        master_document_type, signal_head, registration, document_key, master_document_key)
      select house, id, document, type, master, master_type, head, registration, document, master
      from lodged where is_lodged
    ),
    statuses as (
      insert into bare.movement_status (owner, position, id, failed, entry)
      select owner, step + max(last) over (partition by owner), request_id, not is_lodged,
        case when is_lodged then entry else replace(entry, '"SUCCESS"', '"FAILURE"') end
      from (
        select *, row_number() over owners as step, case when row_number() over owners = 1 then
          coalesce((select max(position) from bare.movement_status s where s.owner = l.owner), 0) end as last
        from lodged l window owners as (partition by owner order by number)
      ) numbered
    )
    select array_agg(case when is_lodged is null then 'reused' when is_lodged then 'lodged' else 'taken' end order by g.number)
    into outcomes
    from given g left join lodged l on l.number = g.number;
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
  const result = await client.query({
    name: 'lodge',
    text: 'select bare.lodge($1, $2) as outcomes',
    values: [JSON.stringify(batch.map(({ row }) => row)), new Date().toISOString()],
  });
  inFlight.shift();
  commit();
  for (const [index, { respond }] of batch.entries()) respond(result.rows[0].outcomes[index]);
}

/** Two requests with one id or one key are in different batches: the second sees the rows of the first. */
function takeBatch() {
  const keys = new Set();
  const batch = [];
  queue = queue.filter((waiting) => {
    const { request_id: requestId, key } = waiting.row;
    if (batch.length === MAX_BATCH || keys.has(requestId) || keys.has(key)) return true;
    keys.add(requestId).add(key);
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

/** What a message becomes in each table. */
function rowOf(message, number) {
  const { requestId = randomUUID(), ...body } = message;
  const { consignmentHouseLevel: house } = body;
  const { transportDocumentHouseLevel: document, consignmentMasterLevel } = house;
  const { transportDocumentMasterLevel: master, carrierIdentificationNumber: carrier } =
    consignmentMasterLevel;
  const mrn = makeMovementMrn({
    year: new Date().getUTCFullYear(),
    country: 'NO',
    random: randomInt,
  });
  const key = [document.type, document.documentNumber, 'master'];
  return {
    owner: organisations.get(number),
    request_id: requestId,
    key: JSON.stringify([
      'road',
      'house-consignment',
      ...key,
      master.type,
      master.documentNumber,
      carrier,
    ]),
    mrn,
    house: newId(),
    document: document.documentNumber,
    type: document.type,
    master: master.documentNumber,
    master_type: master.type,
    carrier,
    // Its identification number ends with the number of its organisation.
    party: organisations.get(String(Number(carrier.slice(2)) - 810_000_000)),
    weight: house.totalGrossMass,
    procedure: house.importProcedure.importProcedure,
    country: house.consignor.address.country,
    client: `bench-${number}`,
    listed: JSON.stringify({
      document,
      carrierIdentificationNumber: carrier,
      masterDocument: master,
    }),
    head: JSON.stringify({
      houseConsignmentMRN: mrn,
      transportDocumentHouseLevel: {
        documentNumber: document.documentNumber,
        referenceNumber: document.documentNumber,
        type: document.type,
      },
      transportDocumentMasterLevel: master,
    }).slice(0, -1),
    entry: JSON.stringify({
      requestId,
      status: 'SUCCESS',
      notificationDate: new Date().toISOString(),
      mrn,
      mode: 'road',
      level: 'HOUSE_CONSIGNMENT',
      operation: 'LODGE',
    }),
    body: JSON.stringify(body),
  };
}

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    // A token ends with the number of its organisation.
    const row = rowOf(JSON.parse(text), /\d+$/.exec(request.headers.authorization)[0]);
    const respond = (outcome) => {
      const isReused = outcome === 'reused';
      const sent = isReused ? '{"title":"refused"}' : `{"requestId":"${row.request_id}"}`;
      response.writeHead(isReused ? 400 : 202, {
        'content-type': 'application/json',
        'content-length': sent.length,
      });
      response.end(sent);
    };
    submit({ row, respond });
  });
});
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
process.on('SIGTERM', () => process.exit());
