// `landfall organisation update`: changes an organisation in several ways at once.
import type { ScopeName } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { UsageError } from '../../process/exit.js';
import {
  addOrganisationCommand,
  changeOrganisation,
  type OrganisationOptions,
  readScopes,
  scopeList,
} from './organisation.js';

type UpdateOptions = OrganisationOptions & {
  name?: string;
  grant?: readonly ScopeName[];
  revoke?: readonly ScopeName[];
  block?: true;
  unblock?: true;
};

/** Adds the command. */
export function addOrganisationUpdate(group: Command): void {
  addOrganisationCommand(group, 'update', 'change an organisation in several ways at once')
    .option('--name <name>', 'set the name')
    .option('--grant <scopes>', 'add scopes, separated by commas', readScopes)
    .option('--revoke <scopes>', 'remove scopes, separated by commas', readScopes)
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
  $ landfall organisation update 0192:310000051 --revoke movement/air --block`;

async function update(id: string, options: UpdateOptions): Promise<void> {
  const { name, grant = [], revoke = [], block, unblock } = options;
  const changes = [name, options.grant, options.revoke, block, unblock];
  if (changes.every((option) => option === undefined)) {
    throw new UsageError('give at least one of --name, --grant, --revoke, --block and --unblock');
  }
  await changeOrganisation(id, options, ({ grantedScopes }) => ({
    ...(name !== undefined && { name }),
    grantedScopes: [...new Set([...grantedScopes, ...grant])].filter(
      (scope) => !revoke.includes(scope),
    ),
    ...((block ?? unblock) && { blocked: block === true }),
  }));
}
