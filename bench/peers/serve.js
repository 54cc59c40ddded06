// What the servers of this folder share: the HTTP interface of a presentation, and the feed that a reader follows.
import Fastify from 'fastify';
import pg from 'pg';

const [port, url] = process.argv.slice(2);

export const pool = new pg.Pool({ connectionString: url, max: 20 });

/** Creates the tables of a server in a schema of its own; an earlier run's are dropped. */
export async function createTables(schema, tables) {
  await pool.query(`drop schema if exists ${schema} cascade; create schema ${schema}; ${tables}`);
}

/** The entries of each organisation, in their order. A requestId is used once; goods have an organisation once. */
export const feedTables = (schema) => `
  create table ${schema}.recipient (house uuid, owner integer, primary key (house, owner));
  create table ${schema}.feed (owner integer, position bigint, request_id uuid, entry jsonb, primary key (owner, position));
  create index on ${schema}.feed (request_id);`;

/** Finds the goods of a transport document; undefined unless it is pre-notified once. */
export const goodsQuery = `
  select h.id as house, h.routing, e.declarant, e.representative
  from house_consignment h join declaration e on e.id = h.ens_id
  where h.document_number = $1 and h.document_type = $2`;

/** The organisations that receive the signal. */
export function partiesOf({ declarant, representative }, presenter) {
  const parties = new Set([presenter, declarant, representative]);
  parties.delete(null);
  return [...parties].sort((one, other) => one - other);
}

const text = { type: 'string', minLength: 1, maxLength: 70 };
const body = {
  type: 'object',
  required: ['requestId', 'customsOfficeOfPresentation', 'transportDocumentHouseLevel'],
  properties: {
    requestId: { type: 'string', format: 'uuid' },
    customsOfficeOfPresentation: text,
    transportDocumentHouseLevel: {
      type: 'object',
      required: ['documentNumber', 'type'],
      properties: { documentNumber: text, type: text },
    },
  },
};

/**
 * Serves presentations until the process ends.
 *
 * @param {(presenter: number, body: any) => Promise<boolean>} present whether it is accepted, once that is durable
 */
export async function serve(present) {
  const { rows } = await pool.query(`
    select id, right(identifier, 9)::integer - 810000000 as number from organisation where identifier like '0192:81%'`);
  const organisations = new Map(rows.map(({ id, number }) => [String(number), id]));
  const app = Fastify();
  app.post(
    '/api/movement/presentation/v1/house-consignment',
    { schema: { body } },
    async (request, reply) => {
      // A token ends with the number of its organisation; it is not verified.
      const presenter = organisations.get(/\d+$/.exec(request.headers.authorization)[0]);
      const isAccepted = await present(presenter, request.body);
      return reply.code(isAccepted ? 202 : 400).send({ requestId: request.body.requestId });
    },
  );
  await app.listen({ host: '127.0.0.1', port: Number(port) });
  process.on('SIGTERM', () => process.exit());
  process.send?.('ready');
}
