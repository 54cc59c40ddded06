// The customs offices in force (CL141), in memory: asked for with every presentation.
import { nationalCustomsOffices } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { type OfficeRow, selectImport, selectOffices } from './queries.js';

/** How often the database is asked whether another server has imported a list, in milliseconds. */
const REFRESH_EVERY = 30_000;

/** First and last day on which an office is valid, as `YYYY-MM-DD`. */
type Validity = Pick<OfficeRow, 'validFrom' | 'validTo'>;

const always: Validity = { validFrom: null, validTo: null };

/** The national offices, which are in force until a list is imported. */
const builtIn: ReadonlyMap<string, Validity> = new Map(
  nationalCustomsOffices.map(({ referenceNumber }) => [referenceNumber, always]),
);

/** The list of customs offices as this server knows it; it follows an import within half a minute. */
export class CustomsOffices {
  readonly #database: Database;
  #offices: ReadonlyMap<string, Validity> = builtIn;
  /** When the list in memory was imported, in milliseconds since 1970; `undefined` for the built-in one. */
  #importedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Reads the list, and follows it from then on until `stop`.
   *
   * @param reportFailure is given the error of a later read; until one succeeds, the list in memory stays in use
   */
  async load(reportFailure: (error: unknown) => void, interval = REFRESH_EVERY): Promise<void> {
    await this.refresh();
    this.#timer ??= setInterval(() => {
      this.refresh().catch(reportFailure);
    }, interval).unref();
  }

  /** Reads the list again if there is a newer one. */
  async refresh(): Promise<void> {
    const [last] = await this.#database.query<{ importedAt: Date }>(selectImport);
    const importedAt = last?.importedAt.getTime();
    if (importedAt === this.#importedAt) return;
    const rows = await this.#database.query<OfficeRow>(selectOffices);
    this.#offices = new Map(rows.map((row) => [row.referenceNumber, row]));
    this.#importedAt = importedAt;
  }

  /** Whether an office is in the list and valid on a day, which is taken in UTC. */
  isValid(referenceNumber: string, on: Date): boolean {
    const office = this.#offices.get(referenceNumber);
    if (office === undefined) return false;
    const { validFrom, validTo } = office;
    if (validFrom === null && validTo === null) return true;
    const day = on.toISOString().slice(0, 'YYYY-MM-DD'.length);
    return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);
  }

  /** Follows the list no longer. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
