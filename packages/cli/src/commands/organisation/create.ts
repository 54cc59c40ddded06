// `landfall organisation create`: creates an organisation.
import type { OrganisationClient } from '@landfall/client';
import type { ScopeName } from '@landfall/contract';
import type { Command } from 'commander';
import { readFileOrInput } from '../../input/read-file.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { openService } from '../../service/open-service.js';
import { readCertificate, withCertificate } from './client-keys.js';
import {
  addOrganisationCommand,
  createOnly,
  findOrganisation,
  isPreconditionFailed,
  newOrganisation,
  type OrganisationOptions,
  readNumbers,
  readScopes,
  scopeList,
  showOrganisation,
} from './organisation.js';

type CreateOptions = OrganisationOptions & {
  name: string;
  grant?: readonly ScopeName[];
  numbers?: readonly string[];
  client?: string;
  certificate?: string;
};

/** Adds the command. */
export function addOrganisationCreate(group: Command): void {
  addOrganisationCommand(group, 'create', 'create an organisation')
    .requiredOption('--name <name>', 'its name')
    .option('--grant <scopes>', 'its scopes, separated by commas', readScopes)
    .option(
      '--numbers <numbers>',
      'its identification numbers (EORI and national), separated by commas',
      readNumbers,
    )
    .option('--client <client_id>', 'its client, as it names itself in iss')
    .option('--certificate <file>', 'certificate of the client (PEM), which grants carry in x5c')
    .addHelpText('after', examples)
    .action(create);
}

const examples = `
${scopeList}

Examples:
  $ landfall organisation create 0192:987654325 --name 'Fjord Freight' --grant movement/entry,movement/air
  $ landfall organisation create 0192:987654325 --name 'Fjord Freight' --grant movement/entry --client fjord --certificate cert.pem
  $ landfall organisation create NTRDE-HRB000001 --name 'Spedition' --grant movement/entry --numbers DE1234567890`;

async function create(
  id: string,
  { name, grant = [], numbers = [], client: clientId, certificate, ...options }: CreateOptions,
): Promise<void> {
  const clients = await readClients(clientId, certificate);
  const { client } = await openService(options);
  const exists = new CommandFailedError(
    `organisation ${id} exists already; change it with update or grant`,
  );
  // The request alone would not refuse an organisation that has the same data already.
  if ((await findOrganisation(client, id)) !== undefined) throw exists;
  const { id: _, ...entry } = {
    ...newOrganisation(id, name),
    grantedScopes: [...grant],
    identificationNumbers: [...numbers],
    clients,
  };
  try {
    showOrganisation(await client.putOrganisation(id, entry, createOnly), options);
  } catch (error) {
    throw isPreconditionFailed(error) ? exists : error;
  }
}

async function readClients(
  clientId: string | undefined,
  certificate: string | undefined,
): Promise<OrganisationClient[]> {
  if (clientId === undefined && certificate === undefined) return [];
  if (clientId === undefined) throw new UsageError('--certificate requires --client');
  if (certificate === undefined) return [{ client_id: clientId }];
  const text = await readFileOrInput(certificate);
  return withCertificate([], clientId, readCertificate(text, certificate));
}
