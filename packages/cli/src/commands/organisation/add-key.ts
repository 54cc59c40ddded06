// `landfall organisation add-key`: registers a key or a certificate of a client of an organisation.
import type { Command } from 'commander';
import { readFileOrInput } from '../../input/read-file.js';
import { UsageError } from '../../process/exit.js';
import { readCertificate, readPublicKey, withCertificate, withKey } from './client-keys.js';
import {
  addOrganisationCommand,
  changeOrganisation,
  type OrganisationOptions,
} from './organisation.js';

type AddKeyOptions = OrganisationOptions & { client: string; kid?: string; certificate?: string };

/** Adds the command. */
export function addOrganisationAddKey(group: Command): void {
  addOrganisationCommand(
    group,
    'add-key',
    'register a key or certificate of a client of an organisation',
  )
    .argument('[file]', 'the public key, or a certificate with it (PEM); - reads stdin')
    .requiredOption('--client <client_id>', 'the client, as it names itself in iss')
    .option('--kid <kid>', 'the kid by which grants name the key')
    .option(
      '--certificate <file>',
      'a certificate that grants carry in x5c (PEM), instead of a key',
    )
    .addHelpText('after', examples)
    .action(addKey);
}

const examples = `
A client that the organisation does not have yet is added. A key with the same kid is replaced. Private keys are
refused and not sent.

Examples:
  $ openssl pkey -in key.pem -pubout | landfall organisation add-key 0192:310000051 - --client newcomer-1 --kid 2026-1
  $ landfall organisation add-key 0192:310000051 --certificate cert.pem --client newcomer-1`;

async function addKey(
  id: string,
  file: string | undefined,
  { client: clientId, kid, certificate, ...options }: AddKeyOptions,
): Promise<void> {
  if ((file === undefined) === (certificate === undefined)) {
    throw new UsageError('give either a file with a key, or --certificate');
  }
  if (certificate !== undefined) {
    if (kid !== undefined) throw new UsageError('--kid goes with a key, not with --certificate');
    const added = readCertificate(await readFileOrInput(certificate), certificate);
    await changeOrganisation(id, options, ({ clients }) => ({
      clients: withCertificate(clients, clientId, added),
    }));
    return;
  }
  if (file === undefined || kid === undefined) throw new UsageError('a key requires --kid');
  const key = { ...readPublicKey(await readFileOrInput(file), file), kid };
  await changeOrganisation(id, options, ({ clients }) => ({
    clients: withKey(clients, clientId, key),
  }));
}
