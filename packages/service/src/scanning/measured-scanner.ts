// Scans a few documents at once, counts what is found, and reports failures.
import { LimitedTurns, NoTurnError } from '../limited-turns.js';
import type { Measure } from '../metrics/measure.js';
import { type FileScanner, SCAN_TIMEOUT_MS, ScannerUnavailableError } from './file-scanner.js';

/** How many are scanned at once; ClamAV has 10 threads by default, and there may be several servers. */
const MAX_SCANS = 4;

/** A scanner that several organisations share. */
export class MeasuredScanner {
  readonly #scanner: FileScanner;
  readonly #report: (error: unknown) => void;
  readonly #turns = new LimitedTurns(MAX_SCANS, SCAN_TIMEOUT_MS);
  readonly #counts = { clean: 0, found: 0, failed: 0 };

  /** @param report takes the error of a scan that failed */
  constructor(scanner: FileScanner, report: (error: unknown) => void) {
    this.#scanner = scanner;
    this.#report = report;
  }

  /** @throws ScannerUnavailableError, or NoTurnError when too many others wait */
  async scan(content: Buffer, organisation: number): Promise<'clean' | 'found'> {
    try {
      const result = await this.#turns.take(organisation, () => this.#scanner.scan(content));
      this.#counts[result]++;
      return result;
    } catch (error) {
      // That is no failure of the scanner; those in whose turn it waits report theirs.
      if (error instanceof NoTurnError) throw error;
      this.#counts.failed++;
      this.#report(error);
      if (error instanceof ScannerUnavailableError) throw error;
      throw new ScannerUnavailableError('the scanner failed', { cause: error });
    }
  }

  /** What this server has scanned, for /metrics. */
  get measures(): Measure[] {
    return [
      {
        name: 'landfall_document_scans_total',
        help: 'Documents that this server has given to the scanner, by result',
        read: async () =>
          Object.entries(this.#counts).map(([result, value]) => ({ labels: { result }, value })),
      },
      {
        name: 'landfall_document_scans_waiting',
        help: 'Documents on this server that wait for the scanner',
        read: async () => this.#turns.waiting,
      },
    ];
  }
}
