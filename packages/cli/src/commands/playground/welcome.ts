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
  data: string;
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
  const { baseUrl, idpUrl, credentials, data, first } = running;
  const table = new Table(columns(running), {
    rows: credentials,
    colours,
    maxWidth: width - INDENT.length,
  });
  const command = nextCommand(first, { data });
  return [
    '',
    colours.bold('Landfall is running.'),
    '',
    `  console            ${colours.cyan(`${baseUrl}/console/`)}`,
    `  service            ${colours.cyan(baseUrl)}`,
    `  identity provider  ${colours.cyan(idpUrl)}`,
    `  API reference      ${colours.cyan(`${baseUrl}/docs/`)}`,
    `  credentials        ${join(data, 'credentials', '<identity>.json')}`,
    '',
    ...[table.heading(), ...credentials.map((row) => table.row(row))].map((line) => INDENT + line),
    '',
    'Try it from another terminal:',
    `  ${colours.green(command)}`,
    '',
    'Press Ctrl-C to stop. Data is kept in the data folder.',
  ];
}

/** The first granted scope, and how many more there are. */
function summarise([first, ...others]: readonly ScopeName[]): string {
  if (first === undefined) return 'nothing yet, to try refusals';
  return others.length === 0 ? first : `${first}, and ${others.length} more`;
}
