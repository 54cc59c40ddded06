// What says whether a file has malware.

/** Scans files. */
export type FileScanner = {
  /**
   * Whether the file has malware.
   *
   * @throws ScannerUnavailableError when that is not known
   */
  scan(content: Buffer): Promise<'clean' | 'found'>;
};

/** How long a scan may take, from connecting to the end of the answer, and how long it waits for its turn, in milliseconds. */
export const SCAN_TIMEOUT_MS = 30_000;

/** It is not known whether a file has malware. */
export class ScannerUnavailableError extends Error {
  readonly code = 'SCANNER_UNAVAILABLE';
  override name = 'ScannerUnavailableError';
}
