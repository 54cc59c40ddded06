// The schemas of spaces: each has the tables of the service, filled with the data of the playground's start. They are
// prepared before they are needed, one at a time, and are used again, because making one takes longer than filling it.
import { createTables, type Database } from '@landfall/service/assembly';
import { OWN_SCHEMA } from '../data-queries.js';
import { endUndo, keepPartitions } from '../undo-queries.js';
import { fillSchema } from './fill-schema.js';
import { dropSchema, findSchema, findSchemas, makeSchema, makeSchemaList } from './queries.js';

/** How many are prepared for the next spaces, from the first space on. */
const SPARES = 1;

/** A schema that is filled. `Extra` is what else was prepared with it. */
export type PreparedSchema<Extra> = { schema: string; database: Database; extra: Extra };

/** The schemas of the spaces of a playground. */
export class SpaceSchemas<Extra> {
  readonly #database: Database;
  readonly #prepareExtra: (database: Database) => Promise<Extra>;
  readonly #ready: Promise<PreparedSchema<Extra>>[] = [];
  /** Those whose space was removed. */
  readonly #used: string[] = [];
  #made = 0;
  /** Preparing one takes the database for a while, so it is done one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param prepareExtra is called with each filled schema */
  constructor(database: Database, prepareExtra: (database: Database) => Promise<Extra>) {
    this.#database = database;
    this.#prepareExtra = prepareExtra;
  }

  get haveBeenMade(): boolean {
    return this.#made > 0;
  }

  /** A filled one, which was prepared if there is one. The next is prepared afterwards. */
  async take(): Promise<PreparedSchema<Extra>> {
    const taken = this.#ready.shift() ?? this.#begin();
    const prepared = await taken;
    this.#prepareSpares();
    return prepared;
  }

  /** Gives back one that nothing uses any more. */
  giveBack(schema: string): void {
    this.#used.push(schema);
    this.#prepareSpares();
  }

  /** Drops all that are there, such as those that an earlier process left behind. */
  async dropAll(): Promise<void> {
    await this.#database.transact((transaction) => transaction.run(makeSchemaList));
    // One transaction each: the locks of all of their tables would be too many for one.
    for (const { schema } of await this.#database.query(findSchemas)) {
      await this.#database.transact((transaction) => transaction.run(dropSchema(schema)));
    }
  }

  /** Prepares no more; resolves when nothing is prepared. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last.catch(() => undefined);
    const prepared = await Promise.allSettled(this.#ready.splice(0));
    for (const each of prepared) {
      if (each.status === 'fulfilled') await each.value.database.close();
    }
  }

  #prepareSpares(): void {
    while (!this.#isClosed && this.#ready.length < SPARES) {
      const begun = this.#begin();
      this.#ready.push(begun);
      begun.catch(() => {
        // Whoever needs one tries again, and gets the error.
        const index = this.#ready.indexOf(begun);
        if (index !== -1) this.#ready.splice(index, 1);
      });
    }
  }

  #begin(): Promise<PreparedSchema<Extra>> {
    const begun = this.#last.then(
      () => this.#prepare(),
      () => this.#prepare(),
    );
    this.#last = begun.catch(() => undefined);
    return begun;
  }

  async #makeSchema(): Promise<string> {
    for (;;) {
      const schema = `space_${++this.#made}`;
      const [found] = await this.#database.query(findSchema(schema));
      if (found?.exists) continue;
      await this.#database.transact((transaction) => transaction.run(makeSchema(schema)));
      return schema;
    }
  }

  async #prepare(): Promise<PreparedSchema<Extra>> {
    if (this.#isClosed) throw new Error('the playground is being closed');
    const used = this.#used.shift();
    const schema = used ?? (await this.#makeSchema());
    const database = this.#database.inSchema(schema);
    try {
      if (used === undefined) {
        await createTables(database, OWN_SCHEMA);
        await database.transact((transaction) => transaction.run(keepPartitions(schema)));
      } else {
        await database.transact((transaction) => transaction.run(endUndo(schema)));
      }
      await fillSchema(database, schema);
      return { schema, database, extra: await this.#prepareExtra(database) };
    } catch (error) {
      await database.close();
      throw error;
    }
  }
}
