// `landfall serve`: the service in production, which the environment configures.
import {
  type Config,
  ConfigError,
  options as configuration,
  readConfig,
} from '@landfall/service/config';
import { type Command, Option } from 'commander';
import { configurationHelp } from './configuration-help.js';
import { CommandFailedError, UsageError } from './exit.js';
import { explainDatabaseFailure } from './explain-database-failure.js';
import { explainStartFailure } from './explain-start-failure.js';
import { wholeNumber } from './identity-options.js';
import { tell } from './output.js';
import { firstStopSignal } from './stop-signal.js';
import { stopWithin } from './stop-within.js';

type ServeOptions = { port?: number; host?: string; logLevel?: string };

/** How long closing may take once the server has drained, in seconds. */
const CLOSE_LIMIT = 15;

/** Adds the verb. */
export function addServe(program: Command): void {
  const { port, host, logLevel } = configuration;
  program
    .command('serve')
    .description('run the service in production: configured by the environment, on PostgreSQL')
    .addOption(
      new Option('--port <number>', `in place of ${port.variable}`).argParser(
        wholeNumber(0, 65_535),
      ),
    )
    .option('--host <address>', `in place of ${host.variable}`)
    .addOption(
      new Option('--log-level <level>', `in place of ${logLevel.variable}`).choices([
        ...logLevel.values,
      ]),
    )
    .addHelpText('after', () => `\n${configurationHelp(configuration)}\n${examples}`)
    .action(serve);
}

const examples = `
It refuses to start where a promise would not hold, with every reason. Several servers on one database must
have the same signing keys: mount one LANDFALL_KEYS folder on all, or give each a copy of the same files. The
log goes to standard output, one JSON object a line. SIGTERM drains it and ends it with 0.

Examples:
  $ landfall migrate && landfall serve
  $ landfall serve --host 0.0.0.0 --log-level info`;

async function serve(options: ServeOptions): Promise<void> {
  const stopRequested = firstStopSignal();
  const service = await start(options);
  tell(`landfall serves ${service.baseUrl} at ${service.address}`);
  await stopRequested;
  tell(`stopping: not ready from now on, and closed in ${service.drainTime} s`);
  await stopWithin(service.drainTime + CLOSE_LIMIT, service);
  tell('stopped');
}

async function start(given: ServeOptions) {
  const { host, port, keysFolder } = readConfiguration(given);
  // Loaded here, because the other verbs start faster without the server.
  const { startService, UnsafeError } = await import('@landfall/service');
  try {
    return await startService(given);
  } catch (error) {
    // Each reason is an error of its own.
    if (error instanceof UnsafeError) throw new CommandFailedError(error.reasons.join('\nerror: '));
    throw explainStartFailure(explainDatabaseFailure(error), {
      host,
      port,
      folder: { name: 'the folder of the signing keys', path: keysFolder, option: 'LANDFALL_KEYS' },
    });
  }
}

function readConfiguration(given: ServeOptions): Config {
  try {
    return readConfig(process.env, given);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}
