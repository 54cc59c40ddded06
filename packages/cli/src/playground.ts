// `landfall playground`: the whole service on this machine, with made-up goods and identities.
import { type Command, Option } from 'commander';
import { explainStartFailure } from './explain-start-failure.js';
import { dataOption, wholeNumber } from './identity-options.js';
import { coloursFor, print, tell } from './output.js';
import { firstStopSignal } from './stop-signal.js';
import { stopWithin } from './stop-within.js';
import { welcomeLines } from './welcome.js';

type PlaygroundOptions = { port: number; host: string; data: string; logLevel: string };

/** How long stopping may take, in seconds. */
const STOP_LIMIT = 10;

/** Adds the verb. */
export function addPlayground(program: Command): void {
  program
    .command('playground')
    .description('run the service on this machine, with made-up goods and identities')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes any that is free')
        .argParser(wholeNumber(0, 65_535))
        .env('PORT')
        .default(8080),
    )
    .addOption(
      new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'),
    )
    .addOption(dataOption())
    .addOption(
      new Option('--log-level <level>', 'how much the service logs')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .env('LANDFALL_LOG_LEVEL')
        .default('warn'),
    )
    .addHelpText('after', examples)
    .action(runPlayground);
}

const examples = `
Its database is the embedded one, which does not survive a power cut: it is for trying and testing.

Examples:
  $ landfall playground
  $ landfall playground --port 9090 --data /tmp/landfall`;

async function runPlayground(options: PlaygroundOptions): Promise<void> {
  const stopRequested = firstStopSignal().then(() =>
    tell('stopping; Ctrl-C again ends it at once'),
  );
  const playground = await start(options);
  const { baseUrl, idpUrl, credentials } = playground;
  const running = { baseUrl, idpUrl, credentials, data: options.data };
  for (const line of welcomeLines(running, coloursFor())) print(line);
  await stopRequested;
  await stopWithin(STOP_LIMIT, playground);
  tell('stopped');
}

async function start({ host, port, data, logLevel }: PlaygroundOptions) {
  tell(`starting the playground in ${data}`);
  try {
    // Loaded here, because the other verbs start faster without the server.
    const { startPlayground } = await import('@landfall/service');
    return await startPlayground({
      host,
      port,
      dataFolder: data,
      logLevel,
      tell: (progress) => tell(`  ${progress}`),
    });
  } catch (error) {
    const folder = { name: 'the data folder', path: data, option: '--data' };
    throw explainStartFailure(error, { host, port, folder });
  }
}
