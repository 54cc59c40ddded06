// `landfall authority import`: registers any number of pre-notifications from a file or a pipe.
import { postEntrySummaryDeclarations } from '@landfall/client/operations';
import type { Command } from 'commander';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
} from '../../input/options.js';
import { openService } from '../../service/open-service.js';
import { importLines } from './import-lines.js';

type ImportOptions = IdentityOptions & { json?: true };

/** Adds the command. */
export function addAuthorityImport(group: Command): void {
  const command = group
    .command('import')
    .description('register pre-notifications: declarations and house consignments, any number')
    .argument('<file>', 'NDJSON, one declaration or house consignment per line; - reads stdin');
  addServiceOptions(command, 'authority');
  addJsonLinesOption(command).addHelpText('after', examples).action(importDeclarations);
}

const examples = `
A line with errors is reported with its number and does not affect other lines; the exit code is then 1.
Resubmitting the whole file is safe, also after an interrupted import: lines already registered are unchanged. A line with
a "version" that is older than what is kept changes nothing, and is counted as outdated.

Examples:
  $ landfall authority import lines.ndjson
  $ landfall authority generate --ens 100 --houses 1000 | landfall authority import -
  $ landfall authority import lines.ndjson --json | grep REFUSED

Each line is one of
  {"mrn":"26NO00000000000001","customsOfficeOfFirstEntry":"NO351001","declarant":"0192:310000019","houseConsignments":[]}
  {"mrn":"26NO00000000000001","houseConsignment":{"transportDocumentHouseLevel":{"documentNumber":"H1","type":"N703"}}}`;

async function importDeclarations(
  file: string,
  { json, ...identity }: ImportOptions,
): Promise<void> {
  await importLines(await openService(identity), postEntrySummaryDeclarations, {
    file,
    json,
    statuses: ['REGISTERED', 'CHANGED', 'UNCHANGED', 'OUTDATED', 'REFUSED'],
  });
}
