// `landfall goods-item view list`: lists the organisations that do not see everything of the goods-item stream.
import type { StoredGoodsItemView } from '@landfall/client';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { reportMore } from '../../output/more-results.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import { readPages } from '../../service/read-pages.js';
import { addViewCommand, describeView, type ViewOptions } from './view-options.js';

const DEFAULT_LIMIT = 1000;

type ListOptions = ViewOptions & { limit: number; marker?: string };

/** Adds the command. */
export function addGoodsItemViewList(group: Command): void {
  onlyReads(addViewCommand(group, 'list', 'list the views, sorted by organisation'))
    .addOption(
      new Option('--limit <number>', 'maximum number of views (1 to 1000000)')
        .argParser(wholeNumber(1, 1_000_000))
        .default(DEFAULT_LIMIT),
    )
    .option('--marker <id>', 'only views after that of this organisation')
    .addHelpText('after', examples)
    .action(list);
}

const examples = `
Examples:
  $ landfall goods-item view list`;

async function list(options: ListOptions): Promise<void> {
  const { client } = await openService(options);
  const { limit, marker } = options;
  const { found, next } = await readPages((query) => client.listGoodsItemViews(query), {
    limit,
    marker,
  });
  if (options.json) printJson(found);
  else if (found.length === 0) print('No views: whoever may read the stream sees everything.');
  else printTable(columns, found);
  if (next === undefined) return;
  const limitWords = limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)];
  const words = ['goods-item', 'view', 'list', ...limitWords, '--marker', next];
  reportMore(nextCommand(words, options), options);
}

const columns: readonly Column<StoredGoodsItemView>[] = [
  { heading: 'organisation', value: ({ organisation }) => organisation },
  { heading: 'version', value: ({ version }) => String(version) },
  { heading: 'sees', value: ({ view }) => describeView(view) },
];
