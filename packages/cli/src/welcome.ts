// What the playground says once it runs: where it is, who one can be there, and what to try.
import { join } from 'node:path';
import { type PlaygroundCredentials, playgroundIdentities, scopes } from '@landfall/contract';
import { firstPresentation, nextCommand } from './next-command.js';
import type { Colours } from './output.js';
import { type Column, tableLines } from './table.js';

/** What runs, and where. */
type Running = {
  baseUrl: string;
  idpUrl: string;
  credentials: readonly PlaygroundCredentials[];
  data: string;
};

const columns: readonly Column<PlaygroundCredentials>[] = [
  { heading: 'identity', value: ({ name }) => name, colour: (_, colours) => colours.cyan },
  { heading: 'kind', value: ({ kind }) => kind },
  { heading: 'organisation', value: ({ organisation }) => organisation },
  { heading: 'may use', value: grantsOf },
];

/** The lines to print. */
export function welcomeLines(running: Running, colours: Colours): string[] {
  const { baseUrl, idpUrl, credentials, data } = running;
  const command = nextCommand(firstPresentation(), { data });
  return [
    '',
    colours.bold('Landfall is running.'),
    '',
    `  service            ${colours.cyan(baseUrl)}`,
    `  identity provider  ${colours.cyan(idpUrl)}`,
    `  API reference      ${colours.cyan(`${baseUrl}/docs/`)}`,
    `  credentials        ${join(data, 'credentials', '<identity>.json')}`,
    '',
    ...tableLines(columns, credentials, colours).map((line) => `  ${line}`),
    '',
    'Try it from another terminal:',
    `  ${colours.green(command)}`,
    '',
    'Ctrl-C stops it; what was presented stays in the data folder.',
  ];
}

/** What the authority has granted, in the words of the scope table. */
function grantsOf({ name, scopes: own }: PlaygroundCredentials): string {
  const identity = playgroundIdentities.find((known) => known.name === name);
  if (identity === undefined) return own.join(' ');
  if (identity.granted.length === 0) return 'nothing yet: to see how customs refuses it';
  const [first, ...others] = identity.granted.map((scope) => scopes[scope].api);
  return others.length === 0 ? String(first) : `${first}, and ${others.length} more`;
}
