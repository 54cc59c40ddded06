// The customs offices in force (CL141), in memory, because every presentation is checked against them.
import { nationalCustomsOffices } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { type DayOf, isValidOn, makeDayOf } from './calendar-day.js';
import { type OfficeRow, selectImport, selectOffices } from './queries.js';

/** How often to poll the database for a list that another server imported, in milliseconds. */
const POLL_INTERVAL_MS = 30_000;

/** First and last day on which an office is valid, as `YYYY-MM-DD`. */
type Validity = Pick<OfficeRow, 'validFrom' | 'validTo'>;

const always: Validity = { validFrom: null, validTo: null };

/** The national offices, which are in force until a list is imported. */
const builtIn: ReadonlyMap<string, Validity> = new Map(
  nationalCustomsOffices.map(({ referenceNumber }) => [referenceNumber, always]),
);

/** The list of customs offices of this server; an import on another server is loaded within half a minute. */
export class CustomsOffices {
  readonly #database: Database;
  #offices: ReadonlyMap<string, Validity> = builtIn;
  /** When the list in memory was imported, in milliseconds since 1970; `undefined` for the built-in one. */
  #importedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The day of a moment where the customs offices are. */
  readonly dayOf: DayOf;

  /** @param timeZone the time zone of the days on which offices are valid, such as `Europe/Oslo` */
  constructor(database: Database, timeZone: string) {
    this.#database = database;
    this.dayOf = makeDayOf(timeZone);
    database.replacements.onReplaced(() => this.refresh());
  }

  /**
   * Reads the list, and polls for newer ones until `stop`.
   *
   * @param reportFailure receives the error of a later read; the list in memory stays in use until a read succeeds
   */
  async load(reportFailure: (error: unknown) => void, interval = POLL_INTERVAL_MS): Promise<void> {
    await this.refresh();
    this.#timer ??= setInterval(() => {
      this.refresh().catch(reportFailure);
    }, interval).unref();
  }

  /** Reads the list if there is a newer one. */
  async refresh(): Promise<void> {
    const [last] = await this.#database.query(selectImport);
    const importedAt = last?.importedAt.getTime();
    if (importedAt === this.#importedAt) return;
    this.#offices = importedAt === undefined ? builtIn : await this.#readOffices();
    this.#importedAt = importedAt;
  }

  async #readOffices(): Promise<ReadonlyMap<string, Validity>> {
    const rows = await this.#database.query(selectOffices);
    return new Map(
      rows.map(({ referenceNumber, validFrom, validTo }) => [
        referenceNumber,
        { validFrom, validTo },
      ]),
    );
  }

  /** Whether an office is in the list and valid on the day of a moment. */
  isValid(referenceNumber: string, on: Date): boolean {
    const office = this.#offices.get(referenceNumber);
    if (office === undefined) return false;
    const { validFrom, validTo } = office;
    if (validFrom === null && validTo === null) return true;
    return isValidOn(office, this.dayOf(on));
  }

  /** Stops polling. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
