// What the commands of organisations share: the id, scopes, reading before changing, and showing.
import {
  ApiError,
  type Landfall,
  type Organisation,
  type OrganisationClient,
  type OrganisationPatch,
} from '@landfall/client';
import { DOMESTIC_ORGANISATION_PREFIX, type ScopeName, scopes } from '@landfall/contract';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printable, printJson } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';

/** The options of each of the commands. */
export type OrganisationOptions = IdentityOptions & { json?: true };

const names = Object.keys(scopes);

/** The scopes, for help texts. */
export const scopeList = `Scopes: ${names.join(', ')}`;

/** Adds a command for one organisation. */
export function addOrganisationCommand(group: Command, verb: string, description: string): Command {
  const command = group
    .command(verb)
    .description(description)
    .argument(
      '<id>',
      "organisation id as in tokens: 0192:<number>, or an eSeal's organizationIdentifier",
    );
  return addJsonOption(addServiceOptions(command, 'authority'));
}

/** An argument of one or more scopes. */
export function scopesArgument(description: string): Argument {
  return new Argument('<scope...>', description).choices(names);
}

/** Parses scopes that are separated by commas. */
export function readScopes(text: string): readonly ScopeName[] {
  return text.split(',').map((name) => {
    const known = names.find((each): each is ScopeName => each === name.trim());
    if (known === undefined) {
      throw new InvalidArgumentError(`Unknown scope "${name}"; known: ${names.join(', ')}.`);
    }
    return known;
  });
}

/** Parses identification numbers that are separated by commas. The service checks them. */
export function readNumbers(text: string): readonly string[] {
  return text.split(',').map((number) => number.trim());
}

/** Reads an organisation; `undefined` if there is none. */
export function findOrganisation(client: Landfall, id: string): Promise<Organisation | undefined> {
  return client.getOrganisation(id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
}

/** How often a change is made to the current organisation while others change it. */
const MAX_ATTEMPTS = 5;

/**
 * Changes an organisation and shows it. Lists are replaced whole, so the current one is read first, and again if somebody else
 * changes it meanwhile.
 */
export async function changeOrganisation(
  id: string,
  options: OrganisationOptions,
  change: (organisation: Organisation) => OrganisationPatch,
): Promise<void> {
  const { client } = await openService(options);
  for (let attempt = 1; ; attempt++) {
    const existing = await findOrganisation(client, id);
    if (existing === undefined) {
      const command = nextCommand(['organisation', 'create', id, '--name', 'NAME'], options);
      throw new UsageError(`organisation ${id} does not exist yet; to create it: ${command}`);
    }
    const { etag: ifMatch } = existing;
    try {
      showOrganisation(await client.patchOrganisation(id, change(existing), { ifMatch }), options);
      return;
    } catch (error) {
      if (!isPreconditionFailed(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The client with an id. Blocks disregard capitals, in which serial numbers are often printed. */
export function findClient(
  clients: readonly OrganisationClient[],
  id: string,
): OrganisationClient | undefined {
  const lower = id.toLowerCase();
  return (
    clients.find(({ client_id: each }) => each === id) ??
    clients.find(({ client_id: each }) => each.toLowerCase() === lower)
  );
}

/** The option of a request that creates an organisation, and replaces none that somebody else creates meanwhile. */
export const createOnly = { ifNoneMatch: '*' } as const;

/** Whether somebody else has changed or created the organisation since it was read. */
export function isPreconditionFailed(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** An organisation without scopes and clients. */
export function newOrganisation(id: string, name: string): Omit<Organisation, 'etag'> {
  const kind = id.startsWith(DOMESTIC_ORGANISATION_PREFIX) ? 'domestic' : 'foreign';
  return {
    id,
    name,
    kind,
    grantedScopes: [],
    identificationNumbers: [],
    clients: [],
    blocked: false,
  };
}

/** Prints an organisation. */
export function showOrganisation(organisation: Organisation, { json }: OrganisationOptions): void {
  if (json) {
    printJson(organisation);
    return;
  }
  const { id, name, kind, grantedScopes, identificationNumbers, clients, blocked } = organisation;
  const { bold, red } = coloursFor();
  const granted = grantedScopes.length === 0 ? 'none' : grantedScopes.join(', ');
  const numbers = identificationNumbers.join(', ') || 'none';
  const calls =
    clients.length === 0
      ? 'none'
      : clients
          .map((client) => `${client.client_id}${client.blocked ? ' (blocked)' : ''}`)
          .join(', ');
  print(`${bold(printable(id))}  ${printable(name)}`);
  print(`  kind     ${kind}`);
  print(`  granted  ${granted}`);
  print(`  numbers  ${printable(numbers)}`);
  print(`  clients  ${printable(calls)}`);
  print(`  blocked  ${blocked ? red('yes') : 'no'}`);
}
