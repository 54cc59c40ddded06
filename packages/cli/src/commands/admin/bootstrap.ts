// `landfall admin bootstrap`: grants scopes directly in the database, to bootstrap a new installation.
import { type ScopeName, scopes } from '@landfall/contract';
import type { ScopesGranted } from '@landfall/service';
import { type Command, Option } from 'commander';
import { addJsonOption } from '../../input/options.js';
import { print, printJson, report } from '../../output/output.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { explainDatabaseFailure } from '../../process/explain-database-failure.js';

type BootstrapOptions = { scope: ScopeName[]; name?: string; json?: true };

/** Adds the command. */
export function addAdminBootstrap(admin: Command): void {
  const command = admin
    .command('bootstrap')
    .description('grant first scopes to an organisation, in the database at DATABASE_URL')
    .argument('<id>', 'organisation id as in tokens, such as 0192:974760673')
    .addOption(
      new Option('--scope <scope...>', 'scopes to grant, without prefix')
        .choices(Object.keys(scopes))
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'name, if it has none yet (default: its id)');
  addJsonOption(command).addHelpText('after', examples).action(bootstrap);
}

const examples = `
Bootstraps a new installation: managing organisations over HTTP needs the scope authority/registry, which nobody has
at first. Existing scopes are kept, repeating the command is safe, and running servers need no restart.

Examples:
  $ landfall admin migrate
  $ landfall admin bootstrap 0192:974761076 --name "Customs" --scope authority/registry authority/routing`;

async function bootstrap(id: string, { scope, name, json }: BootstrapOptions): Promise<void> {
  const done = await grantScopes(id, scope, name);
  if ('errors' in done) {
    const broken = done.errors.map(({ field, error }) => `${field} ${error}`);
    throw new UsageError(broken.join('\nerror: '));
  }
  const { organisation, added, granted } = done;
  if (json) printJson({ organisation, added, granted });
  else if (added) print(`added ${organisation.kind} organisation ${id} (${organisation.name})`);
  if (!json) for (const one of granted) print(`granted ${one} to ${id}`);
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
