// A copy of the goods items in PostgreSQL.
import pg from 'pg';
import { columns, rowOf } from './columns.js';

const isNew = "select to_regclass('position') is null as value";

/** One transaction, since it is one text without parameters. */
const schema = `
  create table goods_item (
    declaration text, item_number integer, event_id text not null,
    direction text, commodity text, country_of_origin text, statistical_value numeric, net_mass numeric,
    primary key (declaration, item_number)
  );
  create index goods_item_event on goods_item (event_id);
  create table position (one integer primary key check (one = 1), marker text, changes bigint not null);
  insert into position values (1, null, 0);
`;

const statements = {
  put: `insert into goods_item (${columns}) values (${columns.map((_, index) => `$${index + 1}`)})
    on conflict (declaration, item_number) do update
    set (${columns}) = (${columns.map((column) => `excluded.${column}`)})`,
  remove: 'delete from goods_item where declaration = $1 and item_number = $2',
  removeAddedBy: 'delete from goods_item where event_id = $1',
  clear: 'update position set changes = 0 where marker is not distinct from $1',
  write: `update position set marker = $1, changes = changes + $2 where marker is not distinct from $3`,
};

/**
 * What the mirror writes to, and where its marker is kept. The changes of a batch and the marker after it are one
 * transaction: after `kill -9` or a power cut the database has both or none.
 */
export class PostgresqlCopy {
  #client;
  #inTransaction = false;
  #marker;
  /** Changes since the marker. */
  #changes = 0;

  static async open(url) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    // A lost connection is reported by the next query.
    client.on('error', () => undefined);
    await client.connect();
    // Not "create if not exists", whose lock of the table can deadlock with a mirror that is running.
    const { rows } = await client.query(isNew);
    if (rows[0].value) await client.query(schema);
    return new PostgresqlCopy(client);
  }

  constructor(client) {
    this.#client = client;
  }

  /** A transaction of its own: after it the current items are copied from the first page. */
  async clear() {
    await this.#begin();
    this.#expectOne(await this.#client.query(statements.clear, [this.#marker]));
    await this.#client.query('delete from goods_item');
    await this.#commit();
  }

  put(item, message) {
    return this.#change('put', rowOf(item, message));
  }

  remove({ DeclarationIdentification: declaration, GoodsItemNumber: number }) {
    return this.#change('remove', [declaration, number]);
  }

  removeAddedBy(eventId) {
    return this.#change('removeAddedBy', [eventId]);
  }

  async read() {
    const { rows } = await this.#client.query('select marker from position');
    this.#marker = rows[0].marker ?? undefined;
    return this.#marker;
  }

  async write(marker) {
    await this.#begin();
    const values = [marker, this.#changes, this.#marker];
    this.#expectOne(await this.#client.query(statements.write, values));
    await this.#commit();
    this.#marker = marker;
    this.#changes = 0;
  }

  /** Items and value by direction, and the number of changes that were applied. */
  async report() {
    const { rows: directions } = await this.#client.query(
      `select direction, count(*)::int as items, sum(statistical_value)::float8 as value
       from goods_item group by direction order by direction`,
    );
    const { rows } = await this.#client.query('select changes::int from position');
    return { directions, changes: rows[0].changes };
  }

  async end() {
    // The server rolls back what has no marker yet.
    await this.#client.end();
  }

  async #change(statement, values) {
    await this.#begin();
    await this.#client.query({ name: statement, text: statements[statement], values });
    this.#changes++;
  }

  /** Each change is applied once, also if somebody starts a second mirror: the marker must be the one read before. */
  #expectOne({ rowCount }) {
    if (rowCount !== 1) throw new Error('another mirror writes to this database');
  }

  async #begin() {
    if (this.#inTransaction) return;
    await this.#client.query('begin');
    this.#inTransaction = true;
  }

  async #commit() {
    await this.#client.query('commit');
    this.#inTransaction = false;
  }
}
