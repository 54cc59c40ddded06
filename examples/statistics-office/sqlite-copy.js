// A copy of the goods items in SQLite, which is part of Node.js 22.13 and newer.
import { DatabaseSync } from 'node:sqlite';
import { columns, rowOf } from './columns.js';

const schema = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists goods_item (
    declaration text, item_number integer, event_id text not null,
    direction text, commodity text, country_of_origin text, statistical_value real, net_mass real,
    primary key (declaration, item_number)
  );
  create index if not exists goods_item_event on goods_item (event_id);
  create table if not exists position (one integer primary key check (one = 1), marker text, changes integer not null);
  insert or ignore into position values (1, null, 0);
`;

/**
 * What the mirror writes to, and where its marker is kept. The changes of a batch and the marker after it are one
 * transaction: after `kill -9` or a power cut the database has both or none.
 */
export class SqliteCopy {
  #database;
  #statements;
  #marker;
  /** Changes since the marker. */
  #changes = 0;

  /** @param {string} path */
  constructor(path) {
    this.#database = new DatabaseSync(path, { timeout: 10_000 });
    this.#database.exec(schema);
    const prepare = (sql) => this.#database.prepare(sql);
    this.#statements = {
      put: prepare(
        `insert or replace into goods_item (${columns}) values (${columns.map(() => '?')})`,
      ),
      remove: prepare('delete from goods_item where declaration = ? and item_number = ?'),
      removeAddedBy: prepare('delete from goods_item where event_id = ?'),
      clear: prepare('update position set changes = 0 where marker is ?'),
      write: prepare('update position set marker = ?, changes = changes + ? where marker is ?'),
    };
  }

  /** A transaction of its own: after it the current items are copied from the first page. */
  clear() {
    this.#begin();
    this.#expectOne(this.#statements.clear.run(this.#marker ?? null));
    this.#database.exec('delete from goods_item; commit');
  }

  put(item, message) {
    this.#change('put', rowOf(item, message));
  }

  remove({ DeclarationIdentification: declaration, GoodsItemNumber: number }) {
    this.#change('remove', [declaration, number]);
  }

  removeAddedBy(eventId) {
    this.#change('removeAddedBy', [eventId]);
  }

  read() {
    this.#marker = this.#database.prepare('select marker from position').get().marker ?? undefined;
    return this.#marker;
  }

  write(marker) {
    this.#begin();
    this.#expectOne(this.#statements.write.run(marker, this.#changes, this.#marker ?? null));
    this.#database.exec('commit');
    this.#marker = marker;
    this.#changes = 0;
  }

  /** Items and value by direction, and the number of changes that were applied. */
  report() {
    const directions = this.#database.prepare(
      `select direction, count(*) as items, sum(statistical_value) as value
       from goods_item group by direction order by direction`,
    );
    const { changes } = this.#database.prepare('select changes from position').get();
    return { directions: directions.all(), changes };
  }

  end() {
    // Rolls back what has no marker yet.
    this.#database.close();
  }

  #change(statement, values) {
    this.#begin();
    this.#statements[statement].run(...values);
    this.#changes++;
  }

  /** Each change is applied once, also if somebody starts a second mirror: the marker must be the one read before. */
  #expectOne({ changes }) {
    if (Number(changes) !== 1) throw new Error('another mirror writes to this database');
  }

  #begin() {
    if (!this.#database.isTransaction) this.#database.exec('begin immediate');
  }
}
