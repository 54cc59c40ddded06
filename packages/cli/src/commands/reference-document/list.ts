// `landfall reference-document list`: lists the documents that were registered.
import type { FindReferenceDocumentsQuery, KeptReferenceDocument } from '@landfall/client';
import { referenceDocumentKinds } from '@landfall/contract';
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
import { print, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';

type ListOptions = IdentityOptions &
  Pick<FindReferenceDocumentsQuery, 'kind' | 'reference'> & {
    limit: number;
    marker?: string;
    json?: true;
  };

const DEFAULT_LIMIT = 100;

/** Adds the command. */
export function addReferenceDocumentList(group: Command): void {
  const command = onlyReads(group.command('list')).description(
    'list registered documents, by kind and reference',
  );
  addServiceOptions(command, 'authority')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(referenceDocumentKinds))
    .option('--reference <text>', 'only with this reference, or this beginning of it')
    .addOption(
      new Option('--limit <number>', 'maximum number of documents (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--marker <marker>', 'only documents after this one (kind:reference)');
  addJsonOption(command).addHelpText('after', examples).action(list);
}

const examples = `
The reference of a customs declaration is its declarant, day and sequence number: 123456789-04052026-1.

Examples:
  $ landfall reference-document list --kind VOEC
  $ landfall reference-document list --reference 123456789-
  $ landfall reference-document list --limit 1000000 --json`;

async function list(options: ListOptions): Promise<void> {
  const { client } = await openService(options);
  const { kind, reference, limit, marker } = options;
  const filters = { ...(kind && { kind }), ...(reference && { reference }) };
  const { found, next } = await readPages(
    (query) => client.findReferenceDocuments({ ...filters, ...query }),
    { limit, marker },
  );
  if (options.json) printJson(found);
  else if (found.length === 0) print('No documents.');
  else printTable(columns, found);
  if (next === undefined) return;
  const limited = { ...filters, ...(limit !== DEFAULT_LIMIT && { limit: String(limit) }) };
  const words = Object.entries({ ...limited, marker: next }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ]);
  reportMore(nextCommand(['reference-document', 'list', ...words], options), options);
}

const columns: readonly Column<KeptReferenceDocument>[] = [
  { heading: 'kind', value: ({ kind }) => kind },
  { heading: 'reference', value: ({ reference }) => reference },
  {
    heading: 'state',
    value: ({ state }) => state,
    colour: ({ state }, colours) => (state === 'INVALID' ? colours.red : String),
  },
  { heading: 'changed', value: ({ changedAt }) => readableTime(changedAt) },
];
