// `landfall authority organisations`: what the authority says of an organisation: shown, or changed in part.
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
import { callService } from './call-service.js';
import { openSession, type Session } from './credentials.js';
import { UsageError } from './exit.js';
import { addIdentityOptions, addJsonOption, type IdentityOptions } from './identity-options.js';
import { coloursFor, print, printable } from './output.js';
import { readText } from './reach-service.js';
import { readMessage } from './read-message.js';
import { ServiceRefusedError } from './service-refused-error.js';

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

/** Adds the verb. */
export function addAuthorityOrganisations(group: Command): void {
  const command = group
    .command('organisations')
    .description('show what is said of an organisation, or change some of it')
    .argument('<id>', "as tokens name it: 0192:<number>, or an eSeal's organizationIdentifier");
  addIdentityOptions(command, { defaultName: 'authority' })
    .option('--name <name>', 'what it is called')
    .option('--grant <scopes>', 'scopes that it is given besides, separated by commas', readScopes)
    .option('--revoke <scopes>', 'scopes that are taken from it', readScopes)
    .addOption(
      new Option('--block', 'it gets no tokens, and those it has are refused').conflicts('unblock'),
    )
    .option('--unblock', 'it is blocked no longer');
  addJsonOption(command).addHelpText('after', examples).action(showOrChange);
}

const examples = `
Without an option that changes something, it is shown. What no option names stays as it is. An organisation that is not
known yet needs a name. Every server goes by a change within a minute.

Scopes: ${names.join(', ')}

Examples:
  $ landfall authority organisations 0192:310000051
  $ landfall authority organisations 0192:310000051 --grant movement/entry
  $ landfall authority organisations 0192:987654325 --name 'Fjord Freight' --grant movement/entry,movement/air
  $ landfall authority organisations 0192:987654325 --block`;

function readScopes(text: string): readonly ScopeName[] {
  return text.split(',').map((name) => {
    const known = names.find((each): each is ScopeName => each === name.trim());
    if (known === undefined) throw new InvalidArgumentError(`There is no scope "${name}".`);
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

/** What is said of it is put as a whole, so what stays as it is has to be read first. */
async function change(session: Session, id: string, options: OrganisationOptions): Promise<string> {
  const known = await read(session, id).catch((error: unknown) => {
    if (error instanceof ServiceRefusedError && error.status === 404) return undefined;
    throw error;
  });
  const stands = known === undefined ? undefined : readMessage(known, check, 'getOrganisation');
  const name = options.name ?? stands?.name;
  if (name === undefined) {
    throw new UsageError(`there is no organisation ${id} yet: give it a --name`);
  }
  const entry: OrganisationEntry = {
    kind: id.startsWith(DOMESTIC_ORGANISATION_PREFIX) ? 'domestic' : 'foreign',
    ...stands,
    name,
    grantedScopes: [
      ...new Set([...(stands?.grantedScopes ?? []), ...(options.grant ?? [])]),
    ].filter((scope) => !options.revoke?.includes(scope)),
    blocked: options.block ?? (options.unblock ? false : (stands?.blocked ?? false)),
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
  const granted = grantedScopes.length === 0 ? 'nothing' : grantedScopes.join(', ');
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
