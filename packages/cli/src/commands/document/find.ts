// `landfall document find`: finds the documents of a customs declaration, for the authority.
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import {
  addJsonOption,
  addServiceOptions,
  type IdentityOptions,
  wholeNumber,
} from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { declarationOption } from './declaration-option.js';
import { documentColumns } from './document-table.js';

type FindOptions = IdentityOptions & {
  declarationId: string;
  limit: number;
  marker?: string;
  json?: true;
};

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addDocumentFind(group: Command): void {
  const command = onlyReads(group.command('find'))
    .description('customs authority: find the documents of a customs declaration')
    .addOption(declarationOption());
  addServiceOptions(command, 'authority')
    .addOption(
      new Option('--limit <number>', 'maximum number of documents (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--marker <id>', 'only documents after this one (its id)');
  addJsonOption(command).addHelpText('after', examples).action(find);
}

const examples = `
Each search is recorded in the audit trail.

Examples:
  $ landfall document find --declaration-id 974760673-10082022-1
  $ landfall document find --declaration-id 974760673-10082022-1 --json`;

async function find(options: FindOptions): Promise<void> {
  const { declarationId, limit, marker, json } = options;
  const { client } = await openService(options);
  const { found, next } = await readPages(
    (query) => client.findDocuments({ declarationId, ...query }),
    { limit, marker },
  );
  if (json) printJson(found);
  else if (found.length === 0) print('No documents.');
  else printTable(documentColumns, found);
  if (next === undefined) return;
  const limitWords = limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)];
  const words = ['document', 'find', '--declaration-id', declarationId, ...limitWords];
  reportMore(nextCommand([...words, '--marker', next], options), options);
}
