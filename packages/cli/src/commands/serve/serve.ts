// `landfall serve`: runs the service in production, configured by environment variables.
import type { Service } from '@landfall/service';
import {
  type Config,
  ConfigError,
  options as configuration,
  readConfig,
} from '@landfall/service/config';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { wholeNumber } from '../../input/options.js';
import { report } from '../../output/output.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { explainDatabaseFailure } from '../../process/explain-database-failure.js';
import { explainStartFailure } from '../../process/explain-start-failure.js';
import { firstStopSignal, stopWithin } from '../../process/stop.js';
import { configurationHelp } from './configuration-help.js';

type ServeOptions = Partial<Pick<Config, 'port' | 'host' | 'logLevel'>>;

/** The level of a detailed log. */
const DETAILED = 'debug';

/** How long closing may take after the server has drained. */
const CLOSE_TIMEOUT_S = 15;

/** Adds the command. */
export function addServe(program: Command): void {
  const { port, host, logLevel } = configuration;
  onlyReads(program.command('serve'))
    .description(
      'run the service in production, on PostgreSQL, configured by environment variables',
    )
    .addOption(
      new Option('--port <number>', `overrides ${port.variable}`).argParser(wholeNumber(0, 65_535)),
    )
    .option('--host <address>', `overrides ${host.variable}`)
    .addOption(
      new Option('--log-level <level>', `overrides ${logLevel.variable}`).choices([
        ...logLevel.values,
      ]),
    )
    .addHelpText('after', () => `\n${configurationHelp(configuration)}\n${examples}`)
    .action(serve);
}

const examples = `
Refuses to start with an unsafe configuration and reports every reason. All servers on one database must have the
same signing keys: share one LANDFALL_KEYS folder, or copy its files to each server. Logs go to standard output, one
JSON object per line; SIGUSR2 makes the log detailed (level debug), and a second one as before. SIGTERM drains the
server and stops it with exit code 0.

Examples:
  $ landfall admin migrate && landfall serve
  $ landfall serve --host 0.0.0.0 --log-level info`;

async function serve(options: ServeOptions): Promise<void> {
  const stopRequested = firstStopSignal();
  const service = await start(options);
  report(`serving ${service.baseUrl} on ${service.address}`);
  switchLogOnSignal(service, readConfiguration(options).logLevel);
  await stopRequested;
  report(`stopping: not ready any more; closing in ${service.drainTime} s`);
  await stopWithin(service.drainTime + CLOSE_TIMEOUT_S, service);
  report('stopped');
}

/** Makes the log detailed while a server runs, so that nobody has to restart it to see what it does. */
function switchLogOnSignal(service: Service, configured: Config['logLevel']): void {
  // Windows has no such signal.
  if (process.platform === 'win32') return;
  let isDetailed = false;
  process.on('SIGUSR2', () => {
    isDetailed = !isDetailed;
    const level = isDetailed ? DETAILED : configured;
    service.setLogLevel(level);
    report(`the log has the level ${level}, until the next SIGUSR2`);
  });
}

async function start(given: ServeOptions) {
  const { host, port, keysFolder } = readConfiguration(given);
  // Imported here so that other commands start without loading the server.
  const { startService, UnsafeError } = await import('@landfall/service');
  try {
    return await startService(given);
  } catch (error) {
    // Each reason is reported as a separate error.
    if (error instanceof UnsafeError) throw new CommandFailedError(error.reasons.join('\nerror: '));
    throw explainStartFailure(explainDatabaseFailure(error), {
      host,
      port,
      folder: { name: 'the signing key folder', path: keysFolder, option: 'LANDFALL_KEYS' },
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
