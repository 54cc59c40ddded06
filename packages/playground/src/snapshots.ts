// The data to which resets return: that of the start, and snapshots by name.

import { compileCheck, SnapshotName } from '@landfall/contract';
import { codeOf } from '@landfall/service';
import { type Database, type Transaction, ValidationFailedError } from '@landfall/service/assembly';
import { Type } from 'typebox';
import {
  findSavedData,
  OWN_SCHEMA,
  ownTables,
  restoreData,
  restoreSequences,
  saveData,
} from './data-queries.js';
import {
  emptyUndo,
  keepPartitions,
  lockUndo,
  MAX_UNDO_ENTRIES,
  recordUndo,
  selectCopySize,
  selectPosition,
  selectSequences,
  setPosition,
  setSequences,
  trySettingRole,
  undoTo,
} from './undo-queries.js';

/** Maximum number of snapshots. */
const MAX_SNAPSHOTS = 20;

/** About how many bytes of a copy take as long to write as one change takes to undo. */
const BYTES_PER_CHANGE = 500;

/** Up to so many changes are undone, however small the copy is. */
const FEW_CHANGES = 300;

/** How often what deadlocks with background work is tried. */
const MAX_ATTEMPTS = 5;

const checkName = compileCheck<{ name: string }>(
  Type.Object({ name: SnapshotName }, { additionalProperties: false }),
);

/** A snapshot, as it is listed. */
export type Snapshot = {
  name: string;
  /** By the clock of the playground, ISO 8601. */
  takenAt: string;
};

/** Why a snapshot cannot be taken or returned to. */
export type SnapshotErrorCode = 'UNKNOWN_SNAPSHOT' | 'SNAPSHOT_OUTDATED' | 'SNAPSHOTS_UNAVAILABLE';

/** A snapshot cannot be taken, or there is none to which a reset can return; nothing was changed. */
export class SnapshotError extends Error {
  readonly code: SnapshotErrorCode;
  override name = 'SnapshotError';

  constructor(code: SnapshotErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

type Taken<State> = Snapshot & { position: number; sequences: string; state: State };

/** Whether data was restored in this process, so that the code for it is compiled. */
let isPrepared = false;

/** The data of the start and the snapshots of a playground, each with the state that is in memory. */
export class Snapshots<State> {
  readonly #database: Database;
  readonly #schema: string;
  readonly #space: { truncates: boolean } | undefined;
  /** In the order in which they were taken. */
  #taken: Taken<State>[] = [];
  /** Whether changes are recorded: the database user may do what undoing needs. */
  #isRecording = false;
  #beginning: Promise<void> | undefined;
  /** Whether the record begins with the data of the start. */
  #beginsWithStart = false;

  /**
   * @param space the space that it is of: its schema, and whether resets give storage back; default: the whole playground. A
   *   space does not `begin`: it returns to the copy of its playground, and records from its first snapshot on
   */
  constructor(database: Database, space?: { schema: string; truncates: boolean }) {
    this.#database = database;
    this.#schema = space?.schema ?? OWN_SCHEMA;
    this.#space = space;
  }

  /**
   * Copies the data, to which resets return, and records changes from now on. In a data folder that has a copy of an
   * earlier start, that one stays.
   *
   * @param isSmall whether restoring takes no time: then the first start of a process also restores. PostgreSQL compiles
   *   code for that, which would otherwise double the time of the first reset
   */
  async begin(isSmall: boolean): Promise<void> {
    const [row] = await this.#database.query(findSavedData);
    const isSaved = row?.saved === true;
    this.#isRecording = await this.#maySetRole();
    // A dataset with movement messages is loaded beside the background work of the service.
    await this.#retryDeadlock(() => this.#begin(isSaved, isSmall));
    this.#beginsWithStart = this.#isRecording && !isSaved;
  }

  async #begin(isSaved: boolean, isSmall: boolean): Promise<void> {
    await this.#database.transact(async (transaction) => {
      await transaction.run(ownTables);
      if (!isSaved) {
        await transaction.run(saveData);
        if (!isPrepared && isSmall) {
          await transaction.run(restoreData(OWN_SCHEMA));
          isPrepared = true;
        }
      }
      await transaction.run(keepPartitions(this.#schema));
      if (this.#isRecording) await transaction.run(recordUndo(this.#schema));
    });
  }

  list(): Snapshot[] {
    return this.#taken.map(({ name, takenAt }) => ({ name, takenAt }));
  }

  /**
   * The state of a snapshot.
   *
   * @throws SnapshotError with the code UNKNOWN_SNAPSHOT
   */
  find(name: string): State {
    return this.#find(name).state;
  }

  /**
   * Takes a snapshot; one of the same name is replaced.
   *
   * @throws ValidationFailedError for a name that breaks the rule, or when there are too many
   * @throws SnapshotError
   */
  async take(name: string, takenAt: Date, state: State): Promise<Snapshot> {
    const checked = checkName({ name });
    if (!checked.valid) throw new ValidationFailedError(checked.errors);
    const others = this.#taken.filter((other) => other.name !== name);
    if (others.length >= MAX_SNAPSHOTS) {
      const error = `there must not be more than ${MAX_SNAPSHOTS} snapshots: delete one`;
      throw new ValidationFailedError([{ field: 'name', error, code: 'SIZE' }]);
    }
    await this.#recordInSpace();
    this.#requireRecording();
    const { position, sequences } = await this.#underLock(async (transaction) => {
      let current = await readPosition(transaction, this.#schema);
      if (current > MAX_UNDO_ENTRIES && others.length > 0)
        throw tooManyChanges('earlier snapshots');
      if (current > MAX_UNDO_ENTRIES / 2 && others.length === 0) {
        // Most of the record is only for the start, which has its copy.
        await transaction.run(emptyUndo(this.#schema));
        this.#beginsWithStart = false;
        current = 0;
      }
      const [row] = await transaction.query(selectSequences(this.#schema));
      return { position: current, sequences: row?.sequences ?? '{}' };
    });
    const taken = { name, takenAt: takenAt.toISOString(), position, sequences, state };
    // Another may have been taken meanwhile.
    this.#taken = [...this.#taken.filter((other) => other.name !== name), taken];
    return { name, takenAt: taken.takenAt };
  }

  /** Deletes a snapshot; returns whether there was one. */
  delete(name: string): boolean {
    const before = this.#taken.length;
    this.#taken = this.#taken.filter((taken) => taken.name !== name);
    return this.#taken.length < before;
  }

  /** Replaces all data by that of the start, and drops what is cached of it. All snapshots are deleted. */
  async restoreStart(): Promise<void> {
    if (!(await this.#undoToStart())) {
      await this.#database.transact(async (transaction) => {
        if (this.#isRecording) {
          await transaction.run(lockUndo(this.#schema));
          await transaction.run(trySettingRole);
        }
        await transaction.run(restoreData(this.#schema, this.#space?.truncates ? 0 : undefined));
        if (this.#isRecording) await transaction.run(emptyUndo(this.#schema));
      });
      this.#beginsWithStart = this.#isRecording && this.#space === undefined;
    }
    this.#taken = [];
    await this.#database.replacements.replaced();
  }

  /**
   * Checks that a reset can return to a snapshot, before anything is ended for it.
   *
   * @throws SnapshotError when it cannot
   */
  async check(name: string): Promise<void> {
    this.#find(name);
    await this.#requireReachable(this.#database, name);
  }

  /**
   * Replaces all data by that of a snapshot, and drops what is cached of it. Snapshots that were taken after it are deleted.
   *
   * @throws SnapshotError
   */
  async restore(name: string): Promise<void> {
    const found = this.#find(name);
    await this.#underLock(async (transaction) => {
      await this.#requireReachable(transaction, name);
      await undo(transaction, this.#schema, found.position);
      await transaction.query(setSequences(this.#schema, found.sequences));
    });
    this.#taken = this.#taken.slice(0, this.#taken.indexOf(found) + 1);
    await this.#database.replacements.replaced();
  }

  async #requireReachable(database: Pick<Transaction, 'query'>, name: string): Promise<void> {
    if ((await readPosition(database, this.#schema)) > MAX_UNDO_ENTRIES) {
      throw tooManyChanges(`the snapshot ${name}`);
    }
  }

  /** Undoes what was changed since the start, unless copying is faster. */
  async #undoToStart(): Promise<boolean> {
    if (!this.#beginsWithStart) return false;
    const [copy] = await this.#database.query(selectCopySize);
    const most = Math.min(MAX_UNDO_ENTRIES, (copy?.bytes ?? 0) / BYTES_PER_CHANGE + FEW_CHANGES);
    return this.#underLock(async (transaction) => {
      if ((await readPosition(transaction, this.#schema)) > most) return false;
      await undo(transaction, this.#schema, 0);
      await transaction.run(restoreSequences);
      return true;
    });
  }

  /** Does work while nobody writes. */
  #underLock<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#retryDeadlock(() =>
      this.#database.transact(async (transaction) => {
        await transaction.run(lockUndo(this.#schema));
        return work(transaction);
      }),
    );
  }

  async #retryDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (codeOf(error) !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  #find(name: string): Taken<State> {
    const found = this.#taken.find((taken) => taken.name === name);
    if (found !== undefined) return found;
    const names = this.#taken.map((taken) => taken.name).join(', ');
    throw new SnapshotError(
      'UNKNOWN_SNAPSHOT',
      `there is no snapshot ${JSON.stringify(String(name).slice(0, 60))}; ${names === '' ? 'none was taken since the start or the last reset to it' : `there are ${names}`}`,
    );
  }

  /** In a space, changes are recorded from the first snapshot on: most spaces have none, and live for one test. */
  async #recordInSpace(): Promise<void> {
    if (this.#space === undefined || this.#isRecording) return;
    this.#beginning ??= this.#beginInSpace().finally(() => {
      this.#beginning = undefined;
    });
    await this.#beginning;
  }

  async #beginInSpace(): Promise<void> {
    if (!(await this.#maySetRole())) return;
    await this.#retryDeadlock(() =>
      this.#database.transact((transaction) => transaction.run(recordUndo(this.#schema))),
    );
    this.#isRecording = true;
  }

  #requireRecording(): void {
    if (this.#isRecording) return;
    throw new SnapshotError(
      'SNAPSHOTS_UNAVAILABLE',
      'the user of the database must be a superuser, or be granted: set on parameter session_replication_role (PostgreSQL 15)',
    );
  }

  async #maySetRole(): Promise<boolean> {
    try {
      await this.#database.transact((transaction) => transaction.run(trySettingRole));
      return true;
    } catch (error) {
      // A right that is missing counts as unavailable where requests are served.
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      if (codeOf(cause) === INSUFFICIENT_PRIVILEGE) return false;
      throw error;
    }
  }
}

const DEADLOCK = '40P01';
const INSUFFICIENT_PRIVILEGE = '42501';

async function readPosition(database: Pick<Transaction, 'query'>, schema: string): Promise<number> {
  const [row] = await database.query(selectPosition(schema));
  return row?.position ?? 0;
}

async function undo(transaction: Transaction, schema: string, position: number): Promise<void> {
  await transaction.query(undoTo(schema, position));
  await transaction.query(setPosition(schema, position));
}

function tooManyChanges(what: string): SnapshotError {
  return new SnapshotError(
    'SNAPSHOT_OUTDATED',
    `more than ${MAX_UNDO_ENTRIES} rows were written, so ${what} cannot be returned to: reset to the start`,
  );
}
