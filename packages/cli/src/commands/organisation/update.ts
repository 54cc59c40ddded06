// `landfall organisation update`: changes an organisation in several ways at once.
import { identifierKey, type ScopeName } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { UsageError } from '../../process/exit.js';
import {
  addOrganisationCommand,
  changeOrganisation,
  type OrganisationOptions,
  readNumbers,
  readScopes,
  scopeList,
} from './organisation.js';

type UpdateOptions = OrganisationOptions & {
  name?: string;
  grant?: readonly ScopeName[];
  revoke?: readonly ScopeName[];
  addNumbers?: readonly string[];
  removeNumbers?: readonly string[];
  block?: true;
  unblock?: true;
};

/** Adds the command. */
export function addOrganisationUpdate(group: Command): void {
  addOrganisationCommand(group, 'update', 'change an organisation in several ways at once')
    .option('--name <name>', 'set the name')
    .option('--grant <scopes>', 'add scopes, separated by commas', readScopes)
    .option('--revoke <scopes>', 'remove scopes, separated by commas', readScopes)
    .option(
      '--add-numbers <numbers>',
      'add identification numbers (EORI and national), separated by commas',
      readNumbers,
    )
    .option(
      '--remove-numbers <numbers>',
      'remove identification numbers, separated by commas',
      readNumbers,
    )
    .addOption(new Option('--block', 'block it').conflicts('unblock'))
    .option('--unblock', 'unblock it')
    .addHelpText('after', examples)
    .action(update);
}

const examples = `
Changes only what the options name.

${scopeList}

Examples:
  $ landfall organisation update 0192:310000051 --name 'Fjord Freight' --grant movement/entry,movement/air
  $ landfall organisation update 0192:310000051 --revoke movement/air --block
  $ landfall organisation update NTRDE-HRB000001 --add-numbers DE1234567890`;

async function update(id: string, options: UpdateOptions): Promise<void> {
  const {
    name,
    grant = [],
    revoke = [],
    addNumbers = [],
    removeNumbers = [],
    block,
    unblock,
  } = options;
  const lists = [options.grant, options.revoke, options.addNumbers, options.removeNumbers];
  if ([name, block, unblock, ...lists].every((option) => option === undefined)) {
    throw new UsageError(
      'give at least one of --name, --grant, --revoke, --add-numbers, --remove-numbers, --block and --unblock',
    );
  }
  await changeOrganisation(id, options, ({ grantedScopes, identificationNumbers }) => ({
    ...(name !== undefined && { name }),
    grantedScopes: withAndWithout(grantedScopes, grant, revoke),
    identificationNumbers: withAndWithout(
      identificationNumbers,
      addNumbers.map(identifierKey),
      removeNumbers.map(identifierKey),
    ),
    ...((block ?? unblock) && { blocked: block === true }),
  }));
}

function withAndWithout<Item>(
  list: readonly Item[],
  added: readonly Item[],
  removed: readonly Item[],
): Item[] {
  return [...new Set([...list, ...added])].filter((item) => !removed.includes(item));
}
