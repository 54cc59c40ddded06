// Makes the certificate of an identity and its credentials, and writes them to files.
import { join } from 'node:path';
import {
  formatScope,
  type PlaygroundCredentials,
  type PlaygroundIdentity,
} from '@landfall/contract';
import type { JsonName } from '@peculiar/x509';
import {
  type Authority,
  type Issuer,
  issueCertificate,
  type KeptCertificate,
  makeKeys,
  readKept,
} from './certificates.js';
import { sealClientId } from './identity-provider/grantor.js';
import { publicJwk, writeKeyFiles } from './key-files.js';
import { readOwnKey } from './own-key.js';
import { writePrivateJson } from './private-file.js';
import { rsaKeyOf } from './rsa-keys.js';

/** Makes the key of an identity, unless it has one of its own, and the certificate for it. */
export async function makeCertificate(
  issuer: Issuer,
  identity: PlaygroundIdentity,
  now: Date,
  latest: Date,
): Promise<KeptCertificate> {
  const { algorithm = 'ES256', name, privateKey } = identity;
  const generate = () => (algorithm === 'RS256' ? rsaKeyOf(name) : makeKeys());
  const keys = await (privateKey === undefined ? generate() : readOwnKey(privateKey));
  return issueCertificate(issuer, subjectOf(identity), now, latest, keys);
}

/** Domestic certificates have the form of foreign ones: `NTRNO-<organisation number>` as organizationIdentifier. */
function subjectOf({ kind, organisation, organisationName }: PlaygroundIdentity): JsonName {
  const identifier = kind === 'foreign' ? organisation : organisation.replace(/^0192:/, 'NTRNO-');
  return [
    { C: [identifier.slice(3, 5)] },
    { O: [organisationName] },
    { '2.5.4.97': [identifier] },
    { CN: [organisationName] },
  ];
}

/** The credentials of an identity with its certificate. */
export async function describeCredentials(
  { name, kind, organisation, scopes, algorithm = 'ES256', hasRegisteredKey }: PlaygroundIdentity,
  { privateKey, certificate }: KeptCertificate,
  { root, issuer }: Authority,
  { baseUrl, idpUrl, scopePrefix }: { baseUrl: string; idpUrl: string; scopePrefix: string },
): Promise<PlaygroundCredentials> {
  const foreign = kind === 'foreign';
  return {
    name,
    kind,
    organisation,
    client_id: foreign ? sealClientId(readKept({ certificate })) : `playground-${name}`,
    scopes: scopes.map((scope) => formatScope(scope, { prefix: scopePrefix, foreign })),
    private_key: privateKey,
    alg: algorithm,
    ...(hasRegisteredKey && { kid: (await publicJwk(privateKey, algorithm)).kid }),
    x5c: [certificate, issuer.certificate, root.certificate],
    base_url: baseUrl,
    strict: true,
    idp_url: idpUrl,
  };
}

/** Writes `<folder>/<name>.json`, and the key in other forms beside it. */
export async function writeCredentials(
  folder: string,
  written: PlaygroundCredentials,
): Promise<void> {
  await writePrivateJson(join(folder, `${written.name}.json`), written);
  await writeKeyFiles(folder, written);
}
