// Judges the movement messages of a dataset before anything of it is loaded, with the registers of the playground.
import {
  type DatasetLine,
  DatasetMovements,
  datasetKeyTaken,
  listCitedDocuments,
  listCitedPlaces,
  type MovementEntry,
  messageFrom,
  type Registers,
  type ValidationError,
} from '@landfall/contract';
import {
  type Database,
  findUnlistedPlaces,
  type IsCustomsOffice,
  makeFindRegisters,
} from '@landfall/service/assembly';
import type { Config } from '@landfall/service/config';
import { requestIdOf } from './movement-request-id.js';
import { findCurrentKeys, findLodged } from './queries.js';

/** What judging needs. */
export type MovementCheckParts = {
  database: Database;
  isCustomsOffice: IsCustomsOffice;
  /** What registers say of documents that the dataset does not have. */
  referenceDocuments: Config['referenceDocuments'];
  /** The start of the playground, from which the times of messages count. */
  start: Date;
};

/** A line with a message, as it is judged. */
type Judged = { line: number; entry: MovementEntry; requestId: string; isLodged: boolean };

/** Judges the messages of a dataset. It remembers their keys. */
export class MovementChecks {
  readonly #parts: MovementCheckParts;
  readonly #movements = new DatasetMovements();
  /** The requestIds of messages that an earlier start has lodged. */
  readonly lodged = new Set<string>();
  #count = 0;

  constructor(parts: MovementCheckParts) {
    this.#parts = parts;
  }

  /** How many messages there were. */
  get count(): number {
    return this.#count;
  }

  /**
   * Judges the messages among some lines, which follow those of the call before. What they cite is looked up at once.
   *
   * @returns the errors of lines, by their number
   */
  async check(lines: readonly DatasetLine[]): Promise<ReadonlyMap<number, ValidationError[]>> {
    const judged = await this.#withLodged(lines);
    this.#count += judged.size;
    const registers = judged.size === 0 ? undefined : await this.#lookUp([...judged.values()]);
    const errors = new Map<number, ValidationError[]>();
    const toLodge: (Judged & { key: string })[] = [];
    for (const line of lines) {
      if (!('entry' in line)) continue;
      if (line.entry.kind === 'referenceDocument') this.#movements.addDocument(line.entry.document);
      const found = judged.get(line.line);
      if (found === undefined || registers === undefined) continue;
      const { start } = this.#parts;
      const { isLodged } = found;
      const checked = this.#movements.check(found.entry, { start, registers, isLodged });
      if (checked.errors.length > 0) errors.set(line.line, checked.errors);
      else if (checked.key !== undefined && !isLodged) {
        toLodge.push({ ...found, key: checked.key });
      }
    }
    for (const [line, error] of await this.#findTaken(toLodge)) errors.set(line, [error]);
    return errors;
  }

  async #withLodged(lines: readonly DatasetLine[]): Promise<Map<number, Judged>> {
    const found = lines.flatMap((line) =>
      'entry' in line && line.entry.kind === 'movement'
        ? [{ line: line.line, entry: line.entry, requestId: requestIdOf(line.entry.movement) }]
        : [],
    );
    if (found.length === 0) return new Map();
    const rows = await this.#parts.database.query(
      findLodged(
        found.map(({ entry, requestId }) => ({ organisation: entry.submitter, requestId })),
      ),
    );
    return new Map(
      found.map((each, index) => {
        const isLodged = rows[index]?.lodged === true;
        if (isLodged) this.lodged.add(each.requestId);
        return [each.line, { ...each, isLodged }];
      }),
    );
  }

  async #lookUp(judged: readonly Judged[]): Promise<Registers> {
    const { database, isCustomsOffice, referenceDocuments, start } = this.#parts;
    const messages = judged.map(({ entry: { movement } }) => ({
      ...movement,
      message: messageFrom(movement, start),
    }));
    const places = messages.flatMap(({ message, level }) => listCitedPlaces(message, level));
    const cited = messages.flatMap(({ message, level, mode }) =>
      level === 'house-consignment' ? listCitedDocuments(message, mode) : [],
    );
    const unlisted = await findUnlistedPlaces(database, [...new Set(places)]);
    const documents = await makeFindRegisters(database, referenceDocuments)(cited);
    return {
      ...documents,
      isCustomsOffice,
      isUnloCode: (code) => !unlisted.has(code),
      isKeyTaken: () => false,
      // No line relates messages.
      isCurrent: () => false,
      submitter: '',
    };
  }

  /** The errors of messages whose keys others have that are current, and are not of the dataset. */
  async #findTaken(
    toLodge: readonly (Judged & { key: string })[],
  ): Promise<[number, ValidationError][]> {
    if (toLodge.length === 0) return [];
    const { database, start } = this.#parts;
    const rows = await database.query(findCurrentKeys(toLodge.map(({ key }) => key)));
    const current = new Map(rows.map((row) => [row.key, row]));
    return toLodge.flatMap(({ line, entry, requestId, key }): [number, ValidationError][] => {
      const row = current.get(key);
      if (row === undefined) return [];
      if (row.requestId === requestId && row.submitter === entry.submitter) {
        // Its status is no longer kept.
        this.lodged.add(requestId);
        return [];
      }
      return [[line, datasetKeyTaken(entry.movement, row.mrn, start)]];
    });
  }
}
