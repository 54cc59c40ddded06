// Fastify and Drizzle ORM: a transaction for each request, which also writes an outbox. A relay moves its rows to the
// feeds and numbers them, so that readers need not wait for a transaction that is still open.
import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, inArray, max } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  bigint,
  bigserial,
  boolean,
  integer,
  jsonb,
  pgSchema,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { createTables, feedTables, partiesOf, pool, serve } from './serve.js';

await createTables(
  'peer_drizzle',
  `${feedTables('peer_drizzle')}
  create table peer_drizzle.request (owner integer, id uuid, failed boolean not null, primary key (owner, id));
  create table peer_drizzle.outbox (id bigserial primary key, owner integer, request_id uuid, entry jsonb);`,
);
const schema = pgSchema('peer_drizzle');
const entry = { owner: integer(), requestId: uuid('request_id'), entry: jsonb() };
const request = schema.table('request', { owner: integer(), id: uuid(), failed: boolean() });
const recipient = schema.table('recipient', { house: uuid(), owner: integer() });
const outbox = schema.table('outbox', { id: bigserial({ mode: 'number' }), ...entry });
const feed = schema.table('feed', { position: bigint({ mode: 'number' }), ...entry });
const house = pgTable('house_consignment', {
  id: uuid(),
  ensId: integer('ens_id'),
  documentNumber: text('document_number'),
  documentType: text('document_type'),
  routing: text(),
});
const declaration = pgTable('declaration', {
  id: integer(),
  declarant: integer(),
  representative: integer(),
});

const db = drizzle(pool);

async function present(
  presenter,
  { requestId, transportDocumentHouseLevel: { documentNumber, type } },
) {
  return db.transaction(async (tx) => {
    const found = await tx
      .select()
      .from(house)
      .innerJoin(declaration, eq(declaration.id, house.ensId))
      .where(and(eq(house.documentNumber, documentNumber), eq(house.documentType, type)));
    const [goods] = found;
    const failed = found.length !== 1;
    const consumed = await tx
      .insert(request)
      .values({ owner: presenter, id: requestId, failed })
      .onConflictDoNothing()
      .returning();
    if (failed || consumed.length === 0) return false;
    const { id, routing } = goods.house_consignment;
    const parties = partiesOf(goods.declaration, presenter);
    const added = await tx
      .insert(recipient)
      .values(parties.map((owner) => ({ house: id, owner })))
      .onConflictDoNothing()
      .returning();
    const signal = { house: id, routing };
    if (added.length > 0 && routing !== null) {
      await tx
        .insert(outbox)
        .values(added.map(({ owner }) => ({ owner, requestId, entry: signal })));
    }
    return true;
  });
}

/** Moves what is in the outbox; returns how many rows. */
function relay() {
  return db.transaction(async (tx) => {
    const rows = await tx.select().from(outbox).orderBy(outbox.id).limit(1000);
    if (rows.length === 0) return 0;
    const owners = [...new Set(rows.map(({ owner }) => owner))];
    const ends = await tx
      .select({ owner: feed.owner, last: max(feed.position) })
      .from(feed)
      .where(inArray(feed.owner, owners))
      .groupBy(feed.owner);
    const last = new Map(ends.map((end) => [end.owner, end.last]));
    const numbered = rows.map(({ id: _, ...row }) => {
      const position = (last.get(row.owner) ?? 0) + 1;
      last.set(row.owner, position);
      return { ...row, position };
    });
    await tx.insert(feed).values(numbered);
    await tx.delete(outbox).where(
      inArray(
        outbox.id,
        rows.map(({ id }) => id),
      ),
    );
    return rows.length;
  });
}

await serve(present);
for (;;) if ((await relay()) === 0) await delay(20);
