// Fastify and Emmett's event store on PostgreSQL: a stream for each requestId, whose event an inline projection, in the
// same transaction, writes to the feeds. A row with the end of each feed numbers its entries.
import { SQL } from '@event-driven-io/dumbo';
import { isExpectedVersionConflictError, STREAM_DOES_NOT_EXIST } from '@event-driven-io/emmett';
import {
  getPostgreSQLEventStore,
  postgreSQLRawSQLProjection,
} from '@event-driven-io/emmett-postgresql';
import { createTables, feedTables, goodsQuery, partiesOf, pool, serve } from './serve.js';

await createTables(
  'peer_emmett',
  `${feedTables('peer_emmett')} create table peer_emmett.feed_end (owner integer primary key, position bigint);`,
);

const feeds = postgreSQLRawSQLProjection({
  name: 'feeds',
  canHandle: ['ConsignmentPresented'],
  evolve: ({ data: { requestId, house, routing, parties } }) =>
    SQL`
      with added as (
        insert into peer_emmett.recipient select ${house}::uuid, owner::integer
        from jsonb_array_elements_text(${JSON.stringify(parties)}::jsonb) owner
        on conflict do nothing returning owner
      ),
      numbered as (
        insert into peer_emmett.feed_end as f select owner, 1 from added order by owner
        on conflict (owner) do update set position = f.position + 1 returning owner, position
      )
      insert into peer_emmett.feed
      select owner, position, ${requestId}::uuid, ${JSON.stringify({ house, routing })}::jsonb from numbered`,
});

const store = getPostgreSQLEventStore(process.argv[3], {
  projections: [{ type: 'inline', projection: feeds }],
  connectionOptions: { pooled: true, pool },
});
await pool.query(
  'drop table if exists emt_messages, emt_streams, emt_processors, emt_projections cascade',
);
await store.schema.migrate();

async function present(
  presenter,
  { requestId, transportDocumentHouseLevel: { documentNumber, type: documentType } },
) {
  const { rows } = await pool.query({
    name: 'goods',
    text: goodsQuery,
    values: [documentNumber, documentType],
  });
  const isFound = rows.length === 1;
  const [goods] = rows;
  const event = isFound
    ? {
        type: 'ConsignmentPresented',
        data: {
          requestId,
          house: goods.house,
          routing: goods.routing,
          parties: partiesOf(goods, presenter),
        },
      }
    : { type: 'PresentationRefused', data: { requestId, documentNumber } };
  try {
    await store.appendToStream(`presentation-${presenter}-${requestId}`, [event], {
      expectedStreamVersion: STREAM_DOES_NOT_EXIST,
    });
  } catch (error) {
    if (isExpectedVersionConflictError(error)) return false;
    throw error;
  }
  return isFound;
}

await serve(present);
