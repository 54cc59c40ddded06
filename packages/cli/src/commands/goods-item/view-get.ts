// `landfall goods-item view get`: shows what an organisation sees of the goods-item stream.
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { print, printable } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import {
  addOrganisationArgument,
  addViewCommand,
  findView,
  showView,
  type ViewOptions,
} from './view-options.js';

/** Adds the command. */
export function addGoodsItemViewGet(group: Command): void {
  const command = addViewCommand(group, 'get', 'show what an organisation sees');
  onlyReads(addOrganisationArgument(command)).addHelpText('after', examples).action(get);
}

const examples = `
Examples:
  $ landfall goods-item view get 0192:310000035`;

async function get(organisation: string, options: ViewOptions): Promise<void> {
  const { client } = await openService(options);
  const stored = options.json
    ? await client.getGoodsItemView(organisation)
    : await findView(client, organisation);
  if (stored === undefined) print(printable(`${organisation} has no view: it sees everything.`));
  else showView(stored, options);
}
