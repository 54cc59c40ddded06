// `landfall organisation grant`: grants scopes to an organisation.
import type { ScopeName } from '@landfall/contract';
import type { Command } from 'commander';
import {
  addOrganisationCommand,
  changeOrganisation,
  type OrganisationOptions,
  scopeList,
  scopesArgument,
} from './organisation.js';

/** Adds the command. */
export function addOrganisationGrant(group: Command): void {
  addOrganisationCommand(
    group,
    'grant',
    'grant scopes to an organisation; it keeps those that it has',
  )
    .addArgument(scopesArgument('scopes to grant, without prefix'))
    .addHelpText('after', examples)
    .action(grant);
}

const examples = `
Servers apply the change within a minute.

${scopeList}

Examples:
  $ landfall organisation grant 0192:310000051 movement/entry movement/air`;

async function grant(id: string, scopes: ScopeName[], options: OrganisationOptions): Promise<void> {
  await changeOrganisation(id, options, ({ grantedScopes }) => ({
    grantedScopes: [...new Set([...grantedScopes, ...scopes])],
  }));
}
