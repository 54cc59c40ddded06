// `landfall token`: obtains a customs token and shows each step.
import { type Command, Option } from 'commander';
import { obtainCustomsToken, type ReportStep } from '../../http/access-token.js';
import { openSession } from '../../http/credentials.js';
import { addIdentityOptions, type IdentityOptions } from '../../input/options.js';
import { coloursFor, print, printable, report } from '../../output/output.js';
import { addTokenDoctor } from './doctor.js';

type TokenOptions = Omit<IdentityOptions, 'as'> & {
  as?: string;
  scope?: string;
  json?: true;
  raw?: true;
};

/** Adds the command. */
export function addToken(program: Command): void {
  // Options after `doctor` belong to it. `--as` is required in `getToken`, because commander would also require it
  // for `doctor`.
  const command = program.command('token').enablePositionalOptions();
  addIdentityOptions(command, { optional: true })
    .description('obtain a customs token: the token on stdout, the steps on stderr')
    .option(
      '--scope <scope>',
      'scope to request; several in quotes (default: all scopes of the identity)',
    )
    .addOption(new Option('--raw', 'print only the token').conflicts('json'))
    .option('--json', 'print only the JSON response of the exchange')
    .addHelpText('after', examples)
    .action((options: TokenOptions) => getToken(options, command));
  addTokenDoctor(command);
}

const examples = `
Examples:
  $ landfall token --as carrier
  $ landfall token --as newcomer          # refused: it has no scopes yet
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

function numberSteps(): ReportStep {
  const colours = coloursFor(process.stderr);
  let number = 0;
  return (step, ...details) => {
    number += 1;
    report(`${colours.bold(`${number}.`)} ${printable(step)}`);
    for (const detail of details) report(colours.dim(`   ${printable(detail)}`));
  };
}

/**
 * The scope to request. A short form is completed to the matching scope of the identity; any other scope is requested
 * unchanged, so that the refusal is visible.
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
