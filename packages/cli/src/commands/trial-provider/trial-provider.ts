// `landfall trial-provider`: an identity provider for a trial of production on one machine.
import type { TrialProvider } from '@landfall/playground';
import { options as configuration } from '@landfall/service/config';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { readAddress, wholeNumber } from '../../input/options.js';
import { coloursFor, print, report } from '../../output/output.js';
import { printTable } from '../../output/table.js';
import { UsageError } from '../../process/exit.js';
import { explainStartFailure } from '../../process/explain-start-failure.js';
import { firstStopSignal, stopWithin } from '../../process/stop.js';

type TrialOptions = { port: number; data: string; service?: string; scopePrefix: string };

const STOP_TIMEOUT_S = 10;

/** Adds the command. */
export function addTrialProvider(program: Command): void {
  const { baseUrl, scopePrefix } = configuration;
  onlyReads(program.command('trial-provider'))
    .description('run an identity provider for a trial of production on this machine')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 for any free port')
        .argParser(wholeNumber(0, 65_535))
        .default(8085),
    )
    .addOption(
      new Option('--data <folder>', 'folder of its keys, credentials and settings').default(
        '.landfall-trial',
      ),
    )
    .addOption(
      new Option('--service <address>', 'the service that is tried; required')
        .argParser(readAddress)
        .env(baseUrl.variable),
    )
    .addOption(
      new Option('--scope-prefix <prefix>', 'prefix of scopes')
        .env(scopePrefix.variable)
        .default(scopePrefix.default),
    )
    .addHelpText('after', examples)
    .action(run);
}

const examples = `
For trials only: whoever reaches it signs in as anybody, so it listens on this machine alone. It issues tokens to the
clients whose credentials it writes to its folder, and people sign in to the console with it. Each token has the claim
landfall_trial, and a service refuses it unless LANDFALL_TRIAL is on. The file serve.env in its folder has all settings
that landfall serve needs for it.

Examples:
  $ landfall trial-provider --service http://127.0.0.1:8080
  $ . .landfall-trial/serve.env && landfall serve`;

async function run(options: TrialOptions): Promise<void> {
  const { service } = options;
  if (service === undefined) {
    throw new UsageError(
      `--service is missing: the address of the service that is tried (${configuration.baseUrl.variable})`,
    );
  }
  const stopRequested = firstStopSignal();
  const provider = await start({ ...options, serviceUrl: service });
  show(provider);
  await stopRequested;
  await stopWithin(STOP_TIMEOUT_S, provider);
  report('stopped');
}

async function start({
  port,
  data,
  serviceUrl,
  scopePrefix,
}: TrialOptions & { serviceUrl: string }) {
  // Imported here so that other commands start without loading the server.
  const { startTrialProvider } = await import('@landfall/playground');
  try {
    return await startTrialProvider({ port, data, serviceUrl, scopePrefix });
  } catch (error) {
    const folder = { name: 'the folder', path: data, option: '--data' };
    throw explainStartFailure(error, { host: '127.0.0.1', port, folder });
  }
}

function show({ issuer, signInIssuer, settingsFile, credentials, persons }: TrialProvider): void {
  const { bold, yellow } = coloursFor();
  print(yellow('For trials only: whoever reaches this provider signs in as anybody.'));
  print('');
  print(`${bold('Tokens for clients')}  ${issuer}`);
  print(`${bold('Sign-in to console')}  ${signInIssuer}`);
  print(bold('Settings of serve'));
  // A line of its own: the folder may be long, and is copied.
  print(`  . ${settingsFile}`);
  print('');
  printTable(
    [
      { heading: 'client', value: ({ name }) => name },
      { heading: 'organisation', value: ({ organisation }) => organisation },
      { heading: 'credentials', value: ({ file }) => file },
    ],
    credentials,
  );
  print('');
  printTable(
    [
      { heading: 'person', value: ({ name }) => name },
      { heading: 'organisation', value: ({ organisation }) => organisation },
      { heading: 'role', value: ({ role }) => role },
    ],
    persons,
  );
  print('');
  print('The provider is running. Ctrl-C stops it.');
}
