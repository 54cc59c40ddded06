// Keys of subscriptions, and signatures of what is sent, as Standard Webhooks has them.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import type { SubscriptionSignature } from '@landfall/contract';

/** Bytes of a key: of the secret of HMAC-SHA256, or of the seed of an Ed25519 key. */
const KEY_BYTES = 32;

/** What stands before the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A new key. */
export function makeKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** The secret that the receiver of a symmetric subscription gets. */
export function toSecret(key: Buffer): string {
  return `whsec_${key.toString('base64')}`;
}

/** The key of a secret, of 24 to 64 bytes; `undefined` for what is no secret. */
export function readSecretKey(secret: string): Buffer | undefined {
  const [, text] = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(text ?? '', 'base64');
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** The public key that the receiver of an asymmetric subscription gets. */
export function toPublicKey(key: Buffer): string {
  const { x = '' } = createPublicKey(toPrivateKey(key)).export({ format: 'jwk' });
  return `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
}

/** The headers of what is sent now. `seconds`: since 1970. */
export function signHeaders(
  signature: SubscriptionSignature,
  keys: readonly Buffer[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const content = `${id}.${seconds}.${body}`;
  const signatures = keys.map((key) => `${signature},${signOne(signature, key, content)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': signatures.join(' '),
  };
}

function signOne(signature: SubscriptionSignature, key: Buffer, content: string): string {
  return signature === 'v1'
    ? createHmac('sha256', key).update(content).digest('base64')
    : sign(null, Buffer.from(content), toPrivateKey(key)).toString('base64');
}

function toPrivateKey(key: Buffer): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, key]),
    format: 'der',
    type: 'pkcs8',
  });
}
