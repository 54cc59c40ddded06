// The message of a running playground: addresses, identities, and a first command.
import { join } from 'node:path';
import { type PlaygroundCredentials, playgroundIdentities, scopes } from '@landfall/contract';
import { nextCommand } from '../../output/next-command.js';
import type { Colours } from '../../output/output.js';
import { type Column, Table } from '../../output/table.js';

/** The running playground. */
type RunningPlayground = {
  baseUrl: string;
  idpUrl: string;
  credentials: readonly PlaygroundCredentials[];
  data: string;
  /** The first command to try. */
  first: readonly string[];
};

const columns: readonly Column<PlaygroundCredentials>[] = [
  { heading: 'identity', value: ({ name }) => name, colour: (_, colours) => colours.cyan },
  { heading: 'kind', value: ({ kind }) => kind },
  { heading: 'organisation', value: ({ organisation }) => organisation },
  { heading: 'granted', value: grantsOf },
];

/** The lines to print. */
export function welcomeLines(running: RunningPlayground, colours: Colours): string[] {
  const { baseUrl, idpUrl, credentials, data, first } = running;
  const table = new Table(columns, {
    rows: credentials,
    colours,
    maxWidth: Number.POSITIVE_INFINITY,
  });
  const command = nextCommand(first, { data });
  return [
    '',
    colours.bold('Landfall is running.'),
    '',
    `  service            ${colours.cyan(baseUrl)}`,
    `  identity provider  ${colours.cyan(idpUrl)}`,
    `  API reference      ${colours.cyan(`${baseUrl}/docs/`)}`,
    `  credentials        ${join(data, 'credentials', '<identity>.json')}`,
    '',
    ...[table.heading(), ...credentials.map((row) => table.row(row))].map((line) => `  ${line}`),
    '',
    'Try it from another terminal:',
    `  ${colours.green(command)}`,
    '',
    'Press Ctrl-C to stop. Data is kept in the data folder.',
  ];
}

/** The granted scopes, by the names of the scope table. */
function grantsOf({ name, scopes: own }: PlaygroundCredentials): string {
  const identity = playgroundIdentities.find((known) => known.name === name);
  if (identity === undefined) return own.join(' ');
  if (identity.granted.length === 0) return 'nothing yet, to try refusals';
  const [first, ...others] = identity.granted.map((scope) => scopes[scope].api);
  return others.length === 0 ? String(first) : `${first}, and ${others.length} more`;
}
