// The data to which a space returns: that of the start of its playground. It has no snapshots.
import type { Database } from '@landfall/service/assembly';
import type { KeptData } from '../playground-state.js';
import { SnapshotError } from '../snapshots.js';
import { fillSchema } from './fill-schema.js';

/** What a space has in place of the snapshots of a playground. */
export class SpaceData implements KeptData {
  readonly #database: Database;
  readonly #schema: string;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#schema = schema;
  }

  list(): [] {
    return [];
  }

  find(name: string): never {
    throw new SnapshotError(
      'UNKNOWN_SNAPSHOT',
      `there is no snapshot ${JSON.stringify(String(name).slice(0, 60))}: spaces have none`,
    );
  }

  async take(): Promise<never> {
    throw new SnapshotError(
      'SNAPSHOTS_UNAVAILABLE',
      'a space has no snapshots: take one of the playground, or make another space',
    );
  }

  delete(): false {
    return false;
  }

  restoreStart(): Promise<void> {
    return fillSchema(this.#database, this.#schema);
  }

  async restore(name: string): Promise<never> {
    return this.find(name);
  }
}
