// `landfall organisation add-key`: registers a public key of a client of an organisation.
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { Organisation, OrganisationClient } from '@landfall/client';
import type { Command } from 'commander';
import { readFileOrInput } from '../../input/read-file.js';
import { UsageError } from '../../process/exit.js';
import {
  addOrganisationCommand,
  changeOrganisation,
  type OrganisationOptions,
} from './organisation.js';

type AddKeyOptions = OrganisationOptions & { client: string; kid: string };

/** Adds the command. */
export function addOrganisationAddKey(group: Command): void {
  addOrganisationCommand(group, 'add-key', 'register a public key of a client of an organisation')
    .argument('<file>', 'the public key or a certificate (PEM); - reads stdin')
    .requiredOption('--client <client_id>', 'the client, as it names itself in iss')
    .requiredOption('--kid <kid>', 'the kid by which grants name the key')
    .addHelpText('after', examples)
    .action(addKey);
}

const examples = `
A client that the organisation does not have yet is added. A key with the same kid is replaced. Private keys are
refused and not sent.

Examples:
  $ openssl pkey -in key.pem -pubout | landfall organisation add-key 0192:310000051 - --client newcomer-1 --kid 2026-1`;

async function addKey(id: string, file: string, options: AddKeyOptions): Promise<void> {
  const { client: clientId, kid } = options;
  const key = { ...readPublicKey(await readFileOrInput(file), file), kid };
  await changeOrganisation(id, options, ({ clients }) => ({
    clients: withKey(clients, clientId, key),
  }));
}

function withKey(
  clients: Organisation['clients'],
  clientId: string,
  key: JsonWebKey & { kid: string },
): OrganisationClient[] {
  const existing = clients.find(({ client_id }) => client_id === clientId);
  const keys = (existing?.keys ?? []).filter(({ kid }) => kid !== key.kid);
  const changed = { ...existing, client_id: clientId, keys: [...keys, key] };
  return existing === undefined
    ? [...clients, changed]
    : clients.map((client) => (client === existing ? changed : client));
}

/** Reads a key as JWK. Node.js would derive the public key from a private one, so that is refused before. */
function readPublicKey(text: string, file: string): JsonWebKey {
  const name = file === '-' ? 'standard input' : file;
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw new UsageError(
      `${name} is a private key: keep it, and give the public one: openssl pkey -in ${name} -pubout`,
    );
  }
  try {
    return createPublicKey(text).export({ format: 'jwk' });
  } catch {
    throw new UsageError(`${name} has no public key or certificate (PEM)`);
  }
}
