// `landfall organisation revoke`: revokes scopes of an organisation.
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
export function addOrganisationRevoke(group: Command): void {
  addOrganisationCommand(group, 'revoke', 'revoke scopes of an organisation; it keeps the others')
    .addArgument(scopesArgument('scopes to revoke, without prefix'))
    .addHelpText('after', examples)
    .action(revoke);
}

const examples = `
Servers apply the change within a minute, also to tokens that exist. Streams, waiting reads and uploads that are open end within seconds.

${scopeList}

Examples:
  $ landfall organisation revoke 0192:310000051 movement/entry movement/air`;

async function revoke(
  id: string,
  scopes: ScopeName[],
  options: OrganisationOptions,
): Promise<void> {
  await changeOrganisation(id, options, ({ grantedScopes }) => ({
    grantedScopes: grantedScopes.filter((scope) => !scopes.includes(scope)),
  }));
}
