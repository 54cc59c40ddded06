// `landfall reference-document import`: registers documents of other registers from a file or a pipe.
import { postReferenceDocuments } from '@landfall/client/operations';
import { type Command, Option } from 'commander';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
} from '../../input/options.js';
import { openService } from '../../service/open-service.js';
import { importLines } from '../authority/import-lines.js';
import { csvToLines } from './csv-to-lines.js';

type ImportOptions = IdentityOptions & { json?: true; format?: 'csv' | 'ndjson' };

/** Adds the command. */
export function addReferenceDocumentImport(group: Command): void {
  const command = group
    .command('import')
    .description('register customs declarations, transits, exports and VOEC numbers, any number')
    .argument('<file>', 'one document per line, as NDJSON or CSV; - reads stdin');
  addServiceOptions(command, 'authority').addOption(
    new Option(
      '--format <format>',
      'format of the file (default: csv if it ends with .csv)',
    ).choices(['csv', 'ndjson']),
  );
  addJsonLinesOption(command).addHelpText('after', examples).action(importDocuments);
}

const examples = `
A line with errors is reported with its number and does not affect other lines; the exit code is then 1. The last line of
a document counts. Resubmitting the whole file is safe, also after an interrupted import: documents that have their state
already are unchanged.

Examples:
  $ landfall reference-document import documents.ndjson
  $ landfall reference-document import documents.csv --json | grep REFUSED
  $ landfall reference-document generate --count 1000 | landfall reference-document import -

Each line is one of
  {"kind":"CUDE","declarantNumber":"123456789","declarationDate":"2026-05-04","sequenceNumber":"1","state":"VALID"}
  {"kind":"N820","referenceNumber":"26SE0000000000001J","state":"INVALID"}
The first line of a CSV names its columns, in any order:
  kind,declarant_number,declaration_date,sequence_number,reference_number,state`;

async function importDocuments(
  file: string,
  { json, format, ...identity }: ImportOptions,
): Promise<void> {
  const service = await openService(identity);
  const isCsv = format === undefined ? file.toLowerCase().endsWith('.csv') : format === 'csv';
  await importLines(service, postReferenceDocuments, {
    file,
    ...(isCsv && { convert: (bytes) => csvToLines(bytes, file) }),
    json,
    statuses: ['REGISTERED', 'CHANGED', 'UNCHANGED', 'REFUSED'],
  });
}
