// `landfall token`: goes the whole way to a customs token, and shows the way.
import { type Command, Option } from 'commander';
import { obtainCustomsToken, type TellStep } from './access-token.js';
import { openSession } from './credentials.js';
import { addIdentityOptions, type IdentityOptions } from './identity-options.js';
import { coloursFor, print, printable, tell } from './output.js';
import { addTokenDoctor } from './token-doctor.js';

type TokenOptions = Omit<IdentityOptions, 'as'> & {
  as?: string;
  scope?: string;
  json?: true;
  raw?: true;
};

/** Adds the verb. */
export function addToken(program: Command): void {
  // Options after `doctor` are its own. `--as` is asked for here and not by commander, which would ask for it
  // there too.
  const command = program.command('token').enablePositionalOptions();
  addIdentityOptions(command, { optional: true })
    .description('get a customs token: the token on stdout, the way to it on stderr')
    .option(
      '--scope <scope>',
      'scope to ask for, several in quotes (default: all that it may have)',
    )
    .addOption(new Option('--raw', 'the token and nothing else').conflicts('json'))
    .option('--json', "print the exchange's answer, and nothing else")
    .addHelpText('after', examples)
    .action((options: TokenOptions) => getToken(options, command));
  addTokenDoctor(command);
}

const examples = `
Examples:
  $ landfall token --as carrier
  $ landfall token --as newcomer          # refused: nothing is granted to it yet
  $ curl -H "Authorization: Bearer $(landfall token --as carrier --raw)" \\
      http://127.0.0.1:8080/api/movement/road/v2/test-auth`;

async function getToken({ as, ...options }: TokenOptions, command: Command): Promise<void> {
  if (as === undefined) command.error("error: required option '--as <name>' not specified");
  const session = await openSession({ ...options, as });
  const scope = completeScope(options.scope, session.credentials.scopes);
  const quiet = options.raw || options.json;
  const token = await obtainCustomsToken(session, scope, quiet ? undefined : numberSteps());
  print(options.json ? JSON.stringify(token) : token.access_token);
}

function numberSteps(): TellStep {
  const colours = coloursFor(process.stderr);
  let number = 0;
  return (step, ...particulars) => {
    number += 1;
    tell(`${colours.bold(`${number}.`)} ${printable(step)}`);
    for (const particular of particulars) tell(colours.dim(`   ${printable(particular)}`));
  };
}

/**
 * The scope to ask for. A short form is completed to the one of its own that ends in it; what is not its own is
 * asked for as it stands, so that the refusal can be seen.
 *
 * @example
 * completeScope('movement/entry', ['customs:eu/movement/entry']); // 'customs:eu/movement/entry'
 */
export function completeScope(wanted: string | undefined, own: readonly string[]): string {
  if (wanted === undefined) return own.join(' ');
  return wanted
    .split(/\s+/)
    .map((text) => own.find((scope) => scope === text || shortForm(scope) === text) ?? text)
    .join(' ');
}

function shortForm(scope: string): string {
  return scope.replace(/^[^:]*:(eu\/)?/, '');
}
