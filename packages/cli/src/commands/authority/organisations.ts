// `landfall authority organisations`: shows or updates an organisation over HTTP.
import {
  compileCheck,
  DOMESTIC_ORGANISATION_PREFIX,
  Organisation,
  type OrganisationEntry,
  operations,
  type ScopeName,
  scopes,
} from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { callService } from '../../http/call-service.js';
import { openSession, type Session } from '../../http/credentials.js';
import { readText } from '../../http/reach-service.js';
import { readMessage } from '../../http/read-message.js';
import { ServiceRefusedError } from '../../http/service-refused-error.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from '../../input/options.js';
import { coloursFor, print, printable } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';

type OrganisationOptions = IdentityOptions & {
  name?: string;
  grant?: readonly ScopeName[];
  revoke?: readonly ScopeName[];
  block?: true;
  unblock?: true;
  json?: true;
};

const names = Object.keys(scopes);
const check = compileCheck<Organisation>(Organisation);

/** Adds the command. */
export function addAuthorityOrganisations(group: Command): void {
  const command = group
    .command('organisations')
    .description('show or update an organisation')
    .argument(
      '<id>',
      "organisation id as in tokens: 0192:<number>, or an eSeal's organizationIdentifier",
    );
  addIdentityOptions(command, { defaultName: 'authority' })
    .option('--name <name>', 'set the name')
    .option('--grant <scopes>', 'add scopes, separated by commas', readScopes)
    .option('--revoke <scopes>', 'remove scopes, separated by commas', readScopes)
    .addOption(
      new Option('--block', 'block it: no new tokens, and its tokens are refused').conflicts(
        'unblock',
      ),
    )
    .option('--unblock', 'unblock it');
  addJsonOption(command).addHelpText('after', examples).action(showOrChange);
}

const examples = `
Without options that change something, shows the organisation. An update changes only what its options name. A new
organisation needs a --name. Servers apply a change within a minute.

Scopes: ${names.join(', ')}

Examples:
  $ landfall authority organisations 0192:310000051
  $ landfall authority organisations 0192:310000051 --grant movement/entry
  $ landfall authority organisations 0192:987654325 --name 'Fjord Freight' --grant movement/entry,movement/air
  $ landfall authority organisations 0192:987654325 --block`;

function readScopes(text: string): readonly ScopeName[] {
  return text.split(',').map((name) => {
    const known = names.find((each): each is ScopeName => each === name.trim());
    if (known === undefined) throw new InvalidArgumentError(`Unknown scope "${name}".`);
    return known;
  });
}

async function showOrChange(id: string, options: OrganisationOptions): Promise<void> {
  const session = await openSession(options);
  const { name, grant, revoke, block, unblock } = options;
  const changes = [name, grant, revoke, block, unblock].some((option) => option !== undefined);
  const text = changes ? await change(session, id, options) : await read(session, id);
  if (options.json) return print(text);
  show(readMessage(text, check, 'getOrganisation'));
}

async function read(session: Session, id: string): Promise<string> {
  return readText(await callService(session, operations.getOrganisation, { parameters: { id } }));
}

/** A PUT replaces the whole organisation, so the current one is read first and merged with the changes. */
async function change(session: Session, id: string, options: OrganisationOptions): Promise<string> {
  const text = await read(session, id).catch((error: unknown) => {
    if (error instanceof ServiceRefusedError && error.status === 404) return undefined;
    throw error;
  });
  const existing = text === undefined ? undefined : readMessage(text, check, 'getOrganisation');
  const name = options.name ?? existing?.name;
  if (name === undefined) {
    throw new UsageError(`organisation ${id} does not exist yet; to create it, give a --name`);
  }
  const entry: OrganisationEntry = {
    kind: id.startsWith(DOMESTIC_ORGANISATION_PREFIX) ? 'domestic' : 'foreign',
    ...existing,
    name,
    grantedScopes: [
      ...new Set([...(existing?.grantedScopes ?? []), ...(options.grant ?? [])]),
    ].filter((scope) => !options.revoke?.includes(scope)),
    blocked: options.block ?? (options.unblock ? false : (existing?.blocked ?? false)),
  };
  const response = await callService(session, operations.putOrganisation, {
    parameters: { id },
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(entry),
  });
  return readText(response);
}

function show({ id, name, kind, grantedScopes, clients, blocked }: Organisation): void {
  const { bold, red } = coloursFor();
  const granted = grantedScopes.length === 0 ? 'none' : grantedScopes.join(', ');
  const calls =
    clients.length === 0
      ? 'none'
      : clients
          .map((client) => `${client.client_id}${client.blocked ? ' (blocked)' : ''}`)
          .join(', ');
  print(`${bold(printable(id))}  ${printable(name)}`);
  print(`  kind     ${kind}`);
  print(`  granted  ${granted}`);
  print(`  clients  ${printable(calls)}`);
  print(`  blocked  ${blocked ? red('yes') : 'no'}`);
}
