// The key that somebody gives an identity, in place of a generated one: for clients whose key is in their configuration.
import { createPrivateKey, createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import type { PlaygroundIdentity, ValidationError } from '@landfall/contract';
import { readPkcs12Key } from './read-pkcs12.js';

/** The lengths of RSA keys, in bits. */
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;

type Algorithm = 'ES256' | 'RS256';

/** The members with the key of an identity. */
type OwnKey = Pick<PlaygroundIdentity, 'privateKey' | 'pfx' | 'pfxPassword' | 'algorithm'>;

/** What is wrong with the key of an identity. */
export function checkOwnKey(given: OwnKey): ValidationError[] {
  const { privateKey, pfx, pfxPassword, algorithm } = given;
  if (pfx !== undefined && privateKey !== undefined) {
    return refuse('pfx', 'must not be given together with privateKey');
  }
  if (pfx === undefined && pfxPassword !== undefined) {
    return refuse('pfxPassword', 'must not be given without pfx');
  }
  const member = pfx === undefined ? 'privateKey' : 'pfx';
  let key: KeyObject | undefined;
  try {
    key = openOwnKey(given);
  } catch {
    // Not the reason of OpenSSL: it may show parts of the key.
    return refuse(
      member,
      pfx === undefined
        ? 'must be a private key as PEM that is not encrypted'
        : 'must be a PKCS#12 file as base64 with a private key whose password is pfxPassword',
    );
  }
  if (key === undefined) return [];
  const signs = algorithmOf(key);
  if (signs === undefined) {
    const rule = `must be an EC key of P-256, or an RSA key of ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`;
    return refuse(member, rule);
  }
  if (algorithm !== undefined && algorithm !== signs) {
    return refuse('algorithm', `must be ${signs} for this key, or be left out`);
  }
  return [];
}

/** The identity with its own key as PEM and the algorithm of this key, if it has one. */
export function withOwnKey(identity: PlaygroundIdentity): PlaygroundIdentity {
  const { pfx: _, pfxPassword: __, ...others } = identity;
  const key = openOwnKey(identity);
  if (key === undefined) return others;
  const algorithm = algorithmOf(key);
  const privateKey = key.export({ format: 'pem', type: 'pkcs8' }).toString();
  return { ...others, privateKey, ...(algorithm && { algorithm }) };
}

/** The key of an identity, if it has one of its own; an error of any kind if it cannot be read. */
function openOwnKey({ privateKey, pfx, pfxPassword = '' }: OwnKey): KeyObject | undefined {
  if (pfx !== undefined) return readPkcs12Key(Buffer.from(pfx, 'base64'), pfxPassword);
  return privateKey === undefined ? undefined : createPrivateKey(privateKey);
}

/** Whether two PEM texts are the same private key, in whatever form. */
export function isSameKey(one: string, other: string): boolean {
  return createPrivateKey(one).equals(createPrivateKey(other));
}

/** Reads a key that was checked. */
export async function readOwnKey(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const key = createPrivateKey(pem);
  const algorithm =
    key.asymmetricKeyType === 'rsa'
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : { name: 'ECDSA', namedCurve: 'P-256' };
  const { subtle } = webcrypto;
  const privateDer = key.export({ format: 'der', type: 'pkcs8' });
  const publicDer = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    privateKey: await subtle.importKey('pkcs8', privateDer, algorithm, true, ['sign']),
    publicKey: await subtle.importKey('spki', publicDer, algorithm, true, ['verify']),
  };
}

function algorithmOf({
  asymmetricKeyType,
  asymmetricKeyDetails,
}: KeyObject): Algorithm | undefined {
  const { namedCurve, modulusLength = 0 } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1' ? 'ES256' : undefined;
  if (asymmetricKeyType !== 'rsa') return undefined;
  return modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS ? 'RS256' : undefined;
}

function refuse(field: string, error: string): ValidationError[] {
  return [{ field, error, code: 'FORMAT' }];
}
