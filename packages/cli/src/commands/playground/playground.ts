// `landfall playground`: runs the whole service locally with sample data and identities.
import { tmpdir } from 'node:os';
import { datasetKinds, journeyKinds } from '@landfall/samples';
import { type Config, readConfig } from '@landfall/service/config';
import { type Command, Option } from 'commander';
import { addControlSecretOption, readControlSecret } from '../../input/control-secret.js';
import { onlyReads } from '../../input/only-reads.js';
import { dataOption, wholeNumber } from '../../input/options.js';
import { firstPresentation } from '../../output/next-command.js';
import { coloursFor, print, report } from '../../output/output.js';
import { terminalWidth } from '../../output/wrap.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { explainDatabaseFailure } from '../../process/explain-database-failure.js';
import { explainStartFailure } from '../../process/explain-start-failure.js';
import { parentEnded } from '../../process/parent-ended.js';
import { firstStopSignal, stopWithin } from '../../process/stop.js';
import { noteRunning } from '../../settings/running-playground.js';
import { addHostingOptions, readHostingOptions } from './hosting-options.js';
import { welcomeLines } from './welcome.js';

type PlaygroundOptions = Pick<Config, 'port' | 'host' | 'logLevel'> & {
  data: string;
  dataset?: string;
  json?: true;
  publicUrl?: string;
  controlSecretFile?: string;
  temporary?: true;
  databaseUrl?: string;
  hosted?: true;
};

const STOP_TIMEOUT_S = 10;

/** Adds the command. */
export function addPlayground(program: Command): void {
  const command = onlyReads(program.command('playground'))
    .description('run the service locally with sample data and identities')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 for any free port')
        .argParser(wholeNumber(0, 65_535))
        .env('PORT')
        .default(8080),
    )
    .addOption(
      new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'),
    )
    .addOption(dataOption())
    .addOption(
      new Option(
        '--dataset <name or file>',
        'goods, identities and decisions in place of the built-in goods',
      ).env('LANDFALL_DATASET'),
    )
    .addOption(
      new Option('--log-level <level>', 'log level of the service')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .env('LANDFALL_LOG_LEVEL')
        .default('warn'),
    )
    .addOption(
      new Option(
        '--public-url <addresses>',
        'addresses at which clients on other hosts reach it, separated by commas: http://playground:8080, or http://localhost:* for any port of a host',
      ).env('LANDFALL_PUBLIC_URL'),
    )
    .addOption(
      new Option(
        '--database-url <url>',
        'an empty database of PostgreSQL for its data, in place of the embedded one; with a password, give it in the variable',
      ).env('LANDFALL_PLAYGROUND_DATABASE_URL'),
    )
    .option('--temporary', 'keep no data: it is in memory, and ends with the playground')
    .option(
      '--json',
      'for test suites: print addresses and credentials as one line of JSON, stop when the parent process ends, and keep no data unless --data is given',
    );
  addHostingOptions(command);
  addControlSecretOption(command).addHelpText('after', examples).action(runPlayground);
}

const examples = `
Uses the embedded database, which does not survive a power cut. For evaluation and tests only.

A dataset is a file (landfall dataset --help), or a generated day at a site: ${datasetKinds.map(({ kind }) => kind).join(', ')}.
It may be a journey whose messages are lodged, too: ${Object.keys(journeyKinds).join(', ')}.
Generated days are small; with :medium or :large after the name they are larger. A dataset is checked before anything of
it is loaded. Loading it again changes nothing.

When it runs, it prints the line "Landfall is running." to standard output; /readyz is 200 from then on. Tokens hold at
every address of --public-url. Without a control secret, only programs on this machine control it.

Examples:
  $ landfall playground
  $ landfall playground --port 9090 --data /tmp/landfall
  $ landfall playground --data /tmp/post --dataset post-terminal
  $ landfall playground --data /tmp/airport --dataset airport.ndjson
  $ landfall playground --port 0 --json
  $ landfall playground --hosted --control-secret-file secret --public-url https://customs-test.example
  $ landfall playground --temporary --host 0.0.0.0 --public-url http://localhost:8080,http://playground:8080`;

/** The goods of a dataset, of which one can be chosen. */
const listConsignments = ['consignment', 'list', '--limit', '5'];

async function runPlayground(options: PlaygroundOptions, command: Command): Promise<void> {
  const { json, data } = options;
  const stopRequested = Promise.race([
    firstStopSignal().then(() => report('stopping; press Ctrl-C again to stop immediately')),
    ...(json ? [parentEnded()] : []),
  ]);
  const keepsData = command.getOptionValueSource('data') !== 'default';
  if (options.temporary === true && command.getOptionValueSource('data') === 'cli') {
    throw new UsageError(
      '--temporary keeps no data, and --data is where it is kept: give one of them',
    );
  }
  const isTemporary = options.temporary === true || (json === true && !keepsData);
  const hosting = readHostingOptions(options);
  const playground = await start(options, isTemporary, hosting);
  const { baseUrl, idpUrl, identities, grants, natsPrefix, port } = playground;
  const nats = natsPrefix !== '' && { natsPrefix };
  // Before it says that it runs: the next command may come at once.
  const noteEnd = isTemporary || json ? undefined : await noteRunning(data);
  if (json) print(JSON.stringify({ baseUrl, idpUrl, port, ...nats, identities }));
  else {
    const first = options.dataset === undefined ? firstPresentation() : listConsignments;
    const kept = isTemporary ? {} : { data };
    const isFar = options.host !== '127.0.0.1' || options.publicUrl !== undefined;
    const running = {
      ...{ baseUrl, idpUrl, credentials: identities, grants, natsPrefix, first },
      ...kept,
      ...(isFar && { listening: `${options.host}:${port}` }),
    };
    for (const line of welcomeLines(running, coloursFor(), terminalWidth())) print(line);
  }
  const reason = await Promise.race([stopRequested, playground.endedByItself]);
  await noteEnd?.();
  if (reason instanceof Error) throw new CommandFailedError(reason.message);
  await stopWithin(STOP_TIMEOUT_S, playground);
  report('stopped');
}

async function start(
  { host, port, data, dataset, logLevel, publicUrl, databaseUrl, ...others }: PlaygroundOptions,
  isTemporary: boolean,
  hosting: ReturnType<typeof readHostingOptions>,
) {
  report(isTemporary ? 'starting a temporary playground' : `starting the playground in ${data}`);
  const controlSecret = await readControlSecret(others);
  try {
    // Imported here so that other commands start without loading the server.
    const { startPlayground } = await import('@landfall/playground');
    // The playground has a database of its own, whatever that of a production server is.
    const {
      dataFolder: _,
      databaseUrl: __,
      keysFolder: ___,
      ...configured
    } = readConfig(process.env);
    return await startPlayground({
      ...configured,
      host,
      port,
      ...(isTemporary ? {} : { data }),
      ...(dataset !== undefined && { dataset }),
      ...(publicUrl !== undefined && { publicUrl }),
      ...(controlSecret !== undefined && { controlSecret }),
      ...(databaseUrl !== undefined && { databaseUrl }),
      ...hosting,
      logLevel,
      onProgress: (progress) => report(`  ${progress}`),
    });
  } catch (error) {
    const folder = isTemporary
      ? { name: 'the folder of temporary files', path: tmpdir(), option: 'TMPDIR' }
      : { name: 'the data folder', path: data, option: '--data' };
    throw explainStartFailure(explainDatabaseFailure(error, '--database-url'), {
      host,
      port,
      folder,
    });
  }
}
