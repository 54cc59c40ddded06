// What documents add to a service.

import { LimitedTurns } from '../limited-turns.js';
import { newId } from '../new-id.js';
import { type FileScanner, SCAN_TIMEOUT_MS } from '../scanning/file-scanner.js';
import { makeScanner, readScannerAddress } from '../scanning/instream-scanner.js';
import { MeasuredScanner } from '../scanning/measured-scanner.js';
import type { ServiceContext } from '../service-context.js';
import { makeDocumentMemory } from './document-memory.js';
import { addDocumentRoutes, type DocumentContext } from './routes.js';

/** How many documents are stored at once: the other sessions that write are for others. */
const MAX_STORES = 2;

/**
 * @param ownScanner takes the place of the configured one, where none is configured
 * @param findDeclarations looks up customs declarations
 */
export async function addDocuments(
  { config, database, audit, http, jobs, measures }: ServiceContext,
  ownScanner: FileScanner | undefined,
  findDeclarations: DocumentContext['findDeclarations'],
): Promise<void> {
  const found = findScanner(config.documentScanner) ?? ownScanner;
  if (config.documentScanner === NO_SCANNER) {
    http.app.log.warn(
      'LANDFALL_DOCUMENT_SCANNER is none, so documents are stored that no scanner has seen',
    );
  } else if (found === undefined) {
    http.app.log.info('LANDFALL_DOCUMENT_SCANNER is not set, so no documents are taken');
  }
  const report = jobs.failures.reporter(
    'document-scanner',
    'the scanner of documents did not say whether one has malware; it was not stored, and its sender tries again',
  );
  const scanner = found && new MeasuredScanner(found, report);
  const stores = new LimitedTurns(MAX_STORES, SCAN_TIMEOUT_MS);
  measures.push(...(scanner?.measures ?? []));
  const memory = makeDocumentMemory();
  const { movedClock } = http;
  await addDocumentRoutes(http, {
    database,
    audit,
    movedClock,
    scanner,
    stores,
    memory,
    newId,
    findDeclarations,
  });
}

/** The setting that switches the scan off. */
const NO_SCANNER = 'none';

function findScanner(setting: string): FileScanner | undefined {
  if (setting === NO_SCANNER) return { scan: async () => 'clean' };
  const address = readScannerAddress(setting);
  return address && makeScanner(address);
}
