// `landfall codelist view`: shows the codes of a code list.
import type { CodeListEntry } from '@landfall/client';
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
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';

type ViewOptions = IdentityOptions & {
  code?: string;
  text?: string;
  limit: number;
  marker?: string;
  json?: true;
};

const DEFAULT_LIMIT = 1000;

/** Adds the command. */
export function addCodelistView(codelist: Command): void {
  const command = onlyReads(codelist.command('view'))
    .description('show the codes of a code list in force, sorted')
    .argument('<list>', 'its name, as codelist list shows it');
  addServiceOptions(command, 'carrier')
    .option('--code <start>', 'only codes that begin with this')
    .option('--text <text>', 'only codes with this in the code or the name')
    .addOption(
      new Option('--limit <number>', 'maximum number of codes (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--marker <code>', 'only codes after this one');
  addJsonOption(command).addHelpText('after', examples).action(view);
}

const examples = `
Examples:
  $ landfall codelist view cl141 --text oslo
  $ landfall codelist view cl144 --code NO --limit 100000 --json`;

async function view(list: string, options: ViewOptions): Promise<void> {
  const { client } = await openService(options);
  const { code, text, limit, marker } = options;
  const filters = { ...(code !== undefined && { code }), ...(text !== undefined && { text }) };
  const { found, next } = await readPages(
    (query) => client.getCodeList(list, { ...filters, ...query }),
    { limit, marker },
  );
  if (options.json) printJson(found);
  else if (found.length === 0) print('No codes.');
  else printTable(columns, found);
  if (next === undefined) return;
  const words = ['codelist', 'view', list];
  for (const [name, value] of Object.entries(filters)) words.push(`--${name}`, value);
  if (limit !== DEFAULT_LIMIT) words.push('--limit', String(limit));
  reportMore(nextCommand([...words, '--marker', next], options), options);
}

const columns: readonly Column<CodeListEntry>[] = [
  { heading: 'code', value: ({ code }) => code },
  { heading: 'name', value: ({ name }) => name ?? '' },
  {
    heading: 'valid',
    value: ({ validFrom = '', validTo = '' }) =>
      validFrom === '' && validTo === '' ? '' : `${validFrom}..${validTo}`,
  },
];
