// `landfall organisations`: grants scopes on the database itself, for the first who may grant them over HTTP.
import { type ScopeName, scopes } from '@landfall/contract';
import type { ScopesGranted } from '@landfall/service';
import { type Command, Option } from 'commander';
import { CommandFailedError, UsageError } from './exit.js';
import { explainDatabaseFailure } from './explain-database-failure.js';
import { print, tell } from './output.js';

type GrantOptions = { scope: ScopeName[]; name?: string };

/** Adds the verb. */
export function addOrganisations(program: Command): void {
  program
    .command('organisations')
    .description('what organisations may do, by the database itself')
    .command('grant')
    .description('add scopes to what an organisation is granted, in the database at DATABASE_URL')
    .argument('<id>', 'the organisation as tokens name it, such as 0192:974760673')
    .addOption(
      new Option('--scope <scope...>', 'what it is granted, without prefix')
        .choices(Object.keys(scopes))
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'its name, where it has none yet (default: its id)')
    .addHelpText('after', examples)
    .action(grant);
}

const examples = `
For a new installation: organisations are kept over HTTP by whoever has the scope authority/registry, and at first
nobody has it. Nothing is taken away, the same again changes nothing, and servers that run need not be told.

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
  if (granted.length === 0) tell(`nothing to do: ${id} has this already`);
  if (organisation.blocked) tell(`${id} is blocked: it gets no tokens all the same`);
}

async function grantScopes(id: string, names: ScopeName[], name?: string): Promise<ScopesGranted> {
  // Loaded here, because the other verbs start faster without the server.
  const { grantFirstScopes, UnsafeError } = await import('@landfall/service');
  try {
    return await grantFirstScopes(id, { scopes: names, ...(name === undefined ? {} : { name }) });
  } catch (error) {
    if (error instanceof UnsafeError) throw new CommandFailedError(error.reasons.join('\nerror: '));
    throw explainDatabaseFailure(error);
  }
}
