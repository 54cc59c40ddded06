// A minimal implementation of presenting: bare Fastify that commits batches to PostgreSQL with Landfall's batch and
// session, without tokens, rules or an audit record. It consumes the requestId of each request (`row`), or also locks
// feeds, connects the presenter to the goods and appends a signal (`feeds`).
import { Batch } from '../../packages/service/dist/database/batch.js';
import { openPostgresql } from '../../packages/service/dist/database/postgresql.js';
import { makeBareFastify } from '../bare-fastify.js';

const [port, url, what] = process.argv.slice(2);
const database = openPostgresql(url);
await database.transact((transaction) =>
  transaction.run(`
    drop schema if exists bare cascade;
    create schema bare;
    create table bare.request (owner integer, id uuid, house uuid, primary key (owner, id));
    create table bare.connection (house uuid, owner integer, primary key (house, owner));
    create table bare.signal (owner integer, position bigint, id uuid, entry text, primary key (owner, position));`),
);

const columns = `unnest($1::integer[], $2::uuid[], $3::text[]) as r (owner, id, reference)`;
const goods = `house_consignment h on h.document_number = r.reference and h.document_type = 'N740'`;

const lockFeeds = (owners) => ({
  name: 'lock-feeds',
  text: 'select count(pg_advisory_xact_lock(1, owner)) from unnest($1::integer[]) owner',
  values: [[...new Set(owners)].sort((one, other) => one - other)],
});

const statements = {
  row: (values) => [
    {
      name: 'row',
      text: `
        insert into bare.request select r.owner, r.id, h.id from ${columns} join ${goods} on conflict do nothing`,
      values,
    },
  ],
  feeds: (values) => [
    lockFeeds(values[0]),
    {
      name: 'feeds',
      text: `
        with found as materialized (
          select r.*, h.id as house, h.signal_head, e.declarant
          from ${columns} join ${goods} join entry_summary_declaration e on e.id = h.ens_id
        ),
        consumed as (
          insert into bare.request select owner, id, house from found on conflict do nothing returning id
        ),
        positioned as materialized (
          select found.*, row_number() over (partition by owner)
            + coalesce((select max(position) from bare.signal s where s.owner = found.owner), 0) as position
          from found join consumed using (id)
        ),
        connected as (
          insert into bare.connection select house, owner from positioned on conflict do nothing
        )
        insert into bare.signal select owner, position, gen_random_uuid(), signal_head from positioned`,
      values,
    },
  ],
}[what];

const batch = new Batch(
  async (requests) => {
    const column = (name) => requests.map((request) => request[name]);
    await database.commit(statements([column('owner'), column('requestId'), column('reference')]));
    return requests.map(() => true);
  },
  { maxInFlight: 2 },
);

const owners = new Map();
const ownerOf = (token) => {
  if (!owners.has(token)) owners.set(token, owners.size);
  return owners.get(token);
};

const app = makeBareFastify(async (request, reply) => {
  const { requestId, transportDocumentHouseLevel } = request.body;
  await batch.submit({
    owner: ownerOf(request.headers.authorization),
    requestId,
    reference: transportDocumentHouseLevel.documentNumber,
  });
  return reply.code(202).type('application/json').send(`{"requestId":"${requestId}"}`);
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.on('SIGTERM', async () => {
  await app.close();
  await database.close();
  process.exit();
});
process.send?.('ready');
