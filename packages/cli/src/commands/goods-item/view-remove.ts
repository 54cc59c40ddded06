// `landfall goods-item view remove`: removes the view of an organisation.
import type { Command } from 'commander';
import { print, printable, printJson } from '../../output/output.js';
import { openService } from '../../service/open-service.js';
import {
  addOrganisationArgument,
  addViewCommand,
  findView,
  type ViewOptions,
} from './view-options.js';

/** Adds the command. */
export function addGoodsItemViewRemove(group: Command): void {
  const command = addViewCommand(
    group,
    'remove',
    'remove a view: the organisation sees everything',
  );
  addOrganisationArgument(command).addHelpText('after', examples).action(remove);
}

const examples = `
Examples:
  $ landfall goods-item view remove 0192:310000035`;

async function remove(organisation: string, options: ViewOptions): Promise<void> {
  const { client } = await openService(options);
  const before = await findView(client, organisation);
  if (before !== undefined) {
    await client.deleteGoodsItemView(organisation, { ifMatch: before.etag });
  }
  if (options.json) return printJson({ organisation, removed: before !== undefined });
  print(
    printable(
      before === undefined
        ? `${organisation} had no view: it sees everything.`
        : `The view of ${organisation} is removed: it sees everything.`,
    ),
  );
}
