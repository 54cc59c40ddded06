// `landfall goods-item view set`: sets what an organisation sees of the goods-item stream.
import type { Command } from 'commander';
import { openService } from '../../service/open-service.js';
import {
  addConditionOptions,
  addOrganisationArgument,
  addViewCommand,
  type ConditionOptions,
  findView,
  readView,
  showView,
  type ViewOptions,
} from './view-options.js';

/** Adds the command. */
export function addGoodsItemViewSet(group: Command): void {
  const command = addViewCommand(
    group,
    'set',
    'set what an organisation sees, in place of its view',
  );
  addConditionOptions(addOrganisationArgument(command)).addHelpText('after', examples).action(set);
}

const examples = `
The whole view is replaced. Servers apply it within seconds, also to open streams. Try it first: landfall goods-item view try

Examples:
  $ landfall goods-item view set 0192:310000035 --chapters 22,24 --directions I
  $ landfall goods-item view set 0192:310000035 --members GoodsItem.CommodityCode,GoodsItem.NetMass`;

async function set(organisation: string, options: ViewOptions & ConditionOptions): Promise<void> {
  const view = readView(options);
  const { client } = await openService(options);
  const before = await findView(client, organisation);
  const state = before === undefined ? ({ ifNoneMatch: '*' } as const) : { ifMatch: before.etag };
  showView(await client.putGoodsItemView(organisation, view, state), options);
}
