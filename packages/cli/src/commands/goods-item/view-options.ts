// What the commands of views of the goods-item stream share: the organisation, the conditions, and showing a view.
import {
  ApiError,
  type GoodsItemView,
  type Landfall,
  type StoredGoodsItemView,
} from '@landfall/client';
import type { Command } from 'commander';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { print, printable, printJson, readableTime } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';

/** The options of each of the commands. */
export type ViewOptions = IdentityOptions & { json?: true };

/** The conditions of a view, as options. */
export type ConditionOptions = {
  chapters?: string[];
  procedures?: string[];
  directions?: string[];
  members?: string[];
  from?: string;
  to?: string;
};

/** Adds a command. */
export function addViewCommand(group: Command, verb: string, description: string): Command {
  return addJsonOption(
    addServiceOptions(group.command(verb).description(description), 'authority'),
  );
}

/** Adds the argument of a command for one organisation. */
export function addOrganisationArgument(command: Command): Command {
  return command.argument(
    '<organisation>',
    "organisation id as in tokens: 0192:<number>, or an eSeal's organizationIdentifier",
  );
}

/** Adds the options that are the conditions of a view. */
export function addConditionOptions(command: Command): Command {
  return command
    .option(
      '--chapters <chapters>',
      'chapters of the Harmonized System, separated by commas',
      readList,
    )
    .option('--procedures <procedures>', 'requested procedures, separated by commas', readList)
    .option('--directions <directions>', 'I for imports, O for exports', readList)
    .option(
      '--members <members>',
      'members that are sent, separated by commas; the keys and metadata always are',
      readList,
    )
    .option('--from <date>', 'first day of acceptance (YYYY-MM-DD)')
    .option('--to <date>', 'last day of acceptance (YYYY-MM-DD)');
}

function readList(text: string): string[] {
  return text.split(',').map((value) => value.trim());
}

/** The view that the options describe. The service checks it. */
export function readView(options: ConditionOptions): GoodsItemView {
  const { chapters, procedures, directions, members, from, to } = options;
  const given = { chapters, procedures, directions, members, from, to };
  const view = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(view).length === 0) {
    throw new UsageError(
      'give at least one of --chapters, --procedures, --directions, --members, --from and --to',
    );
  }
  // The cast is true once the service has accepted it.
  return view as GoodsItemView;
}

/** Reads the view of an organisation; `undefined` if it has none. */
export function findView(
  client: Landfall,
  organisation: string,
): Promise<StoredGoodsItemView | undefined> {
  return client.getGoodsItemView(organisation).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
}

/** The conditions of a view in words. */
export function describeView(view: GoodsItemView): string {
  const { chapters, procedures, directions, members, from, to } = view;
  const list = (name: string, values: readonly string[] | undefined) =>
    values === undefined ? [] : [`${name} ${values.join(', ')}`];
  return [
    ...list('chapters', chapters),
    ...list('procedures', procedures),
    ...list('directions', directions),
    ...(from === undefined ? [] : [`accepted from ${from}`]),
    ...(to === undefined ? [] : [`accepted to ${to}`]),
    ...list('members', members),
  ].join('; ');
}

/** Prints a view. */
export function showView(stored: StoredGoodsItemView, { json }: ViewOptions): void {
  if (json) {
    printJson(stored);
    return;
  }
  const { organisation, version, view, changedAt, changedBy } = stored;
  print(printable(`organisation  ${organisation}`));
  print(printable(`sees          ${describeView(view)}`));
  const who = `${changedBy.client} of ${changedBy.organisation}`;
  print(printable(`version       ${version}, ${readableTime(changedAt)}, by ${who}`));
}
