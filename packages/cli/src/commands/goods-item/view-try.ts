// `landfall goods-item view try`: shows what a view would show of the last messages.
import type { TriedGoodsItem } from '@landfall/client';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { print, printJson } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { openService } from '../../service/open-service.js';
import {
  addConditionOptions,
  addViewCommand,
  type ConditionOptions,
  readView,
  type ViewOptions,
} from './view-options.js';

/** Messages that are printed, of those that were examined last. */
const PRINTED = 20;

/** Adds the command. */
export function addGoodsItemViewTry(group: Command): void {
  onlyReads(
    addConditionOptions(
      addViewCommand(group, 'try', 'try a view on the last 1000 messages, without storing it'),
    ),
  )
    .addHelpText('after', examples)
    .action(tryView);
}

const examples = `
Prints the last ${PRINTED} messages, and whether the view shows them. --json prints all, with what is shown of them.

Examples:
  $ landfall goods-item view try --chapters 22,24 --directions I
  $ landfall goods-item view try --members GoodsItem.CommodityCode --json`;

async function tryView(options: ViewOptions & ConditionOptions): Promise<void> {
  const view = readView(options);
  const { client } = await openService(options);
  const trial = await client.tryGoodsItemView(view);
  if (options.json) return printJson(trial);
  const { examined, shown, skipped, messages } = trial;
  if (messages.length > 0) printTable(columns, messages.slice(-PRINTED));
  print(`Of the last ${examined} messages the view shows ${shown}, and skips ${skipped}.`);
}

const columns: readonly Column<TriedGoodsItem>[] = [
  { heading: 'eventId', value: ({ eventId }) => eventId },
  { heading: 'direction', value: ({ direction }) => direction ?? '-' },
  { heading: 'chapter', value: ({ chapter }) => chapter ?? '-' },
  { heading: 'procedure', value: ({ procedure }) => procedure ?? '-' },
  { heading: 'accepted', value: ({ dateOfAcceptance }) => dateOfAcceptance ?? '-' },
  { heading: 'shown', value: ({ shown }) => (shown ? 'yes' : 'no') },
];
