// Fastify and Graphile Worker: a transaction for each request, which also adds a job for each organisation. The jobs of an
// organisation are in a queue of its own, which runs one after the other, so they can number the entries of its feed.
import { Logger, run } from 'graphile-worker';
import { createTables, feedTables, goodsQuery, partiesOf, pool, serve } from './serve.js';

await pool.query('drop schema if exists graphile_worker cascade');
await createTables(
  'peer_queue',
  `${feedTables('peer_queue')}
  create table peer_queue.request (owner integer, id uuid, failed boolean not null, primary key (owner, id));`,
);

async function appendSignal({ owner, requestId, house, routing }, { withPgClient }) {
  await withPgClient((client) =>
    client.query({
      name: 'append',
      text: `
        with added as (
          insert into peer_queue.recipient values ($1, $2) on conflict do nothing returning owner
        )
        insert into peer_queue.feed
        select $2, coalesce((select max(position) from peer_queue.feed where owner = $2), 0) + 1, $3, $4 from added`,
      values: [house, owner, requestId, { house, routing }],
    }),
  );
}

async function present(
  presenter,
  { requestId, transportDocumentHouseLevel: { documentNumber, type } },
) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query({
      name: 'goods',
      text: goodsQuery,
      values: [documentNumber, type],
    });
    const failed = rows.length !== 1;
    const { rowCount } = await client.query({
      name: 'request',
      text: 'insert into peer_queue.request values ($1, $2, $3) on conflict do nothing',
      values: [presenter, requestId, failed],
    });
    const isAccepted = rowCount === 1 && !failed;
    const [goods] = rows;
    if (isAccepted && goods.routing !== null) {
      const { house, routing } = goods;
      for (const owner of partiesOf(goods, presenter)) {
        await client.query({
          name: 'job',
          text: "select graphile_worker.add_job('appendSignal', $1, queue_name => $2)",
          values: [{ owner, requestId, house, routing }, `feed-${owner}`],
        });
      }
    }
    await client.query('commit');
    return isAccepted;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

await run({
  connectionString: process.argv[3],
  concurrency: 10,
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: { appendSignal },
});
await serve(present);
