// Makes credentials with a new key, in the playground's format.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { PlaygroundCredentials } from '@landfall/contract';

/** Makes credentials for carrier, with an EC key by default. */
export function makeCredentials(
  key: KeyObject = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
): PlaygroundCredentials {
  return {
    name: 'carrier',
    kind: 'domestic',
    organisation: '0192:310000019',
    client_id: 'carrier-client',
    scopes: ['customs:movement/entry'],
    private_key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    alg: key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256',
    x5c: ['AAAA'],
    base_url: 'http://127.0.0.1:8080',
    idp_url: 'http://127.0.0.1:8080/idp',
  };
}
