// `landfall organisations grant`: grants scopes directly in the database, to bootstrap a new installation.
import { type ScopeName, scopes } from '@landfall/contract';
import type { ScopesGranted } from '@landfall/service';
import { type Command, Option } from 'commander';
import { print, report } from '../../output/output.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { explainDatabaseFailure } from '../../process/explain-database-failure.js';

type GrantOptions = { scope: ScopeName[]; name?: string };

/** Adds the command. */
export function addOrganisationsGrant(organisations: Command): void {
  organisations
    .command('grant')
    .description('grant scopes to an organisation in the database at DATABASE_URL')
    .argument('<id>', 'organisation id as in tokens, such as 0192:974760673')
    .addOption(
      new Option('--scope <scope...>', 'scopes to grant, without prefix')
        .choices(Object.keys(scopes))
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'name, if it has none yet (default: its id)')
    .addHelpText('after', examples)
    .action(grant);
}

const examples = `
Bootstraps a new installation: managing organisations over HTTP needs the scope authority/registry, which nobody has
at first. Existing scopes are kept, repeating the command is safe, and running servers need no restart.

Examples:
  $ landfall migrate
  $ landfall organisations grant 0192:974761076 --name "Customs" --scope authority/registry authority/routing`;

async function grant(id: string, { scope, name }: GrantOptions): Promise<void> {
  const done = await grantScopes(id, scope, name);
  if ('errors' in done) {
    const broken = done.errors.map(({ field, error }) => `${field} ${error}`);
    throw new UsageError(broken.join('\nerror: '));
  }
  const { organisation, added, granted } = done;
  if (added) print(`added ${organisation.kind} organisation ${id} (${organisation.name})`);
  for (const one of granted) print(`granted ${one} to ${id}`);
  if (granted.length === 0) report(`nothing to do: ${id} already has these scopes`);
  if (organisation.blocked)
    report(`warning: organisation ${id} is blocked and still cannot get tokens`);
}

async function grantScopes(id: string, names: ScopeName[], name?: string): Promise<ScopesGranted> {
  // Imported here so that other commands start without loading the server.
  const { grantFirstScopes, UnsafeError } = await import('@landfall/service');
  try {
    return await grantFirstScopes(id, { scopes: names, ...(name === undefined ? {} : { name }) });
  } catch (error) {
    if (error instanceof UnsafeError) throw new CommandFailedError(error.reasons.join('\nerror: '));
    throw explainDatabaseFailure(error);
  }
}
