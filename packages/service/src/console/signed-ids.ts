// Ids of sessions that only this service can make, so that one that somebody made up is refused without the database.
import { createHmac } from 'node:crypto';
import { isSecret, makeSecret } from './sessions.js';

/** 256 random bits and their HMAC, both as base64url. */
const FORM = /^([\w-]{43})\.([\w-]{43})$/;

/** @param key the same on every server */
export function makeSignedId(key: Buffer): string {
  return signId(key, makeSecret());
}

/** The id that replaces this one, which only this service can work out: whoever has the earlier one finds it. */
export function nextSignedId(key: Buffer, id: string): string {
  return signId(key, macOf(key, `next ${id}`));
}

/** Whether `makeSignedId` has made it with this key. */
export function isSignedId(key: Buffer, id: string): boolean {
  const [, secret, mac] = FORM.exec(id) ?? [];
  return secret !== undefined && mac !== undefined && isSecret(mac, macOf(key, secret));
}

function signId(key: Buffer, secret: string): string {
  return `${secret}.${macOf(key, secret)}`;
}

function macOf(key: Buffer, secret: string): string {
  return createHmac('sha256', key).update(secret).digest('base64url');
}
