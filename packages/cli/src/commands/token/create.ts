// `landfall token create`: obtains a customs token and shows each step.
import { type Credentials, GrantTokens, type Hooks } from '@landfall/client';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { coloursFor, print, printable, printJson, report } from '../../output/output.js';
import { readIdentity } from '../../service/identity.js';
import { openFetch } from '../../service/open-fetch.js';

type CreateOptions = IdentityOptions & {
  scope?: string;
  json?: true;
  raw?: true;
};

/** Adds the command. */
export function addTokenCreate(group: Command): void {
  addServiceOptions(onlyReads(group.command('create')), 'carrier')
    .description('obtain a customs token: the token on stdout, the steps on stderr')
    .option(
      '--scope <scope>',
      'scope to request; several in quotes (default: all scopes of the identity)',
    )
    .addOption(new Option('--raw', 'print only the token').conflicts('json'))
    .option('--json', 'print the token, its lifetime in seconds and its scope as JSON')
    .addHelpText('after', examples)
    .action(create);
}

const examples = `
Examples:
  $ landfall token create
  $ landfall token create --as newcomer          # refused: it has no scopes yet
  $ curl -H "Authorization: Bearer $(landfall token create --raw)" \\
      http://127.0.0.1:8080/api/movement/road/v2/test-auth`;

async function create(options: CreateOptions): Promise<void> {
  const { credentials, baseUrl } = await readIdentity(options);
  const scope = completeScope(options.scope, credentials.scopes ?? []);
  const quiet = options.raw || options.json;
  let expiresAt = 0;
  const tokens = new GrantTokens({
    baseUrl,
    // One scope, so that the grant requests all of them together.
    credentials: { ...credentials, scopes: [scope] },
    ...openFetch(options),
    hooks: quiet ? {} : reportSteps(credentials, scope),
    tokenStore: {
      read: async () => undefined,
      write: async (_, stored) => {
        expiresAt = stored.expiresAt;
      },
    },
  });
  const token = await tokens.getToken([]);
  const expires_in = Math.ceil((expiresAt - Date.now()) / 1000);
  if (!quiet) report(coloursFor(process.stderr).dim(`   valid for ${expires_in} s`));
  if (!options.json) print(token);
  else printJson({ access_token: token, token_type: 'Bearer', expires_in, scope });
}

/** Reports the three steps by which a token is obtained. */
function reportSteps({ clientId, identityProvider }: Credentials, scope: string): Hooks {
  const colours = coloursFor(process.stderr);
  let number = 0;
  const reportStep = (step: string, ...details: string[]) => {
    number += 1;
    report(`${colours.bold(`${number}.`)} ${printable(step)}`);
    for (const detail of details) report(colours.dim(`   ${printable(detail)}`));
  };
  return {
    onRequest: ({ operationId }) => {
      if (operationId !== 'requestAccessToken') return;
      const audience = identityProvider.audience ?? identityProvider.url;
      reportStep(`signed a grant as ${clientId}`, `aud ${audience}`, `scope ${scope}`);
    },
    onResponse: ({ operationId, status, method, url }) => {
      if (status !== 200) return;
      reportStep(
        operationId === 'requestAccessToken'
          ? 'the identity provider issued an access token'
          : 'customs exchanged it for a customs token',
        `${method} ${url}`,
      );
    },
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
