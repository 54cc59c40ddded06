// The message of a running playground: addresses, identities, and a first command.
import { join } from 'node:path';
import type { PlaygroundCredentials, ScopeName } from '@landfall/contract';
import { nextCommand } from '../../output/next-command.js';
import type { Colours } from '../../output/output.js';
import { type Column, Table } from '../../output/table.js';

/** The running playground. */
type RunningPlayground = {
  baseUrl: string;
  idpUrl: string;
  credentials: readonly PlaygroundCredentials[];
  /** The scopes that are granted to the organisation of each identity, by its name. */
  grants: ReadonlyMap<string, readonly ScopeName[]>;
  /** What its names in NATS begin with; empty without a prefix. */
  natsPrefix: string;
  /** The address and port at which it listens, if clients on other hosts reach it. */
  listening?: string;
  /** The data folder; without it, no data is kept. */
  data?: string;
  /** The first command to try. */
  first: readonly string[];
};

function columns({ grants }: RunningPlayground): readonly Column<PlaygroundCredentials>[] {
  return [
    { heading: 'identity', value: ({ name }) => name, colour: (_, colours) => colours.cyan },
    { heading: 'kind', value: ({ kind }) => kind },
    { heading: 'organisation', value: ({ organisation }) => organisation },
    { heading: 'granted', value: ({ name }) => summarise(grants.get(name) ?? []) },
  ];
}

const INDENT = '  ';

/** What a program waits for that starts it: this line never changes. */
const READY_LINE = 'Landfall is running.';

/**
 * The lines to print.
 *
 * @param width of the terminal; `Infinity` for a pipe or a file
 */
export function welcomeLines(
  running: RunningPlayground,
  colours: Colours,
  width: number,
): string[] {
  const { baseUrl, idpUrl, credentials, natsPrefix, listening, data, first } = running;
  const table = new Table(columns(running), {
    rows: credentials,
    colours,
    maxWidth: width - INDENT.length,
  });
  return [
    '',
    colours.bold(READY_LINE),
    '',
    `  console            ${colours.cyan(`${baseUrl}/console/`)}`,
    `  service            ${colours.cyan(baseUrl)}`,
    `  identity provider  ${colours.cyan(idpUrl)}`,
    `  documentation      ${colours.cyan(`${baseUrl}/docs/`)}`,
    `  API reference      ${colours.cyan(`${baseUrl}/docs/api/`)}`,
    ...(listening === undefined ? [] : [`  listening on       ${listening}`]),
    ...(natsPrefix === '' ? [] : [`  prefix in NATS     ${natsPrefix}`]),
    `  credentials        ${data === undefined ? `${baseUrl}/playground/credentials` : join(data, 'credentials', '<identity>.json')}`,
    '',
    ...[table.heading(), ...credentials.map((row) => table.row(row))].map((line) => INDENT + line),
    '',
    ...(data === undefined
      ? ['Press Ctrl-C to stop. No data is kept.']
      : [
          'Try it from another terminal:',
          `  ${colours.green(nextCommand(first, { data }))}`,
          '',
          'Press Ctrl-C to stop. Data is kept in the data folder.',
        ]),
  ];
}

/** The first granted scope, and how many more there are. */
function summarise([first, ...others]: readonly ScopeName[]): string {
  if (first === undefined) return 'nothing yet, to try refusals';
  return others.length === 0 ? first : `${first}, and ${others.length} more`;
}
