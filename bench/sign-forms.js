// The forms that clients post to a token endpoint: each with its own assertion or token, signed with ES256.
import { createPrivateKey, randomUUID, sign } from 'node:crypto';

/**
 * @typedef {object} Forms
 * @property {number} count
 * @property {Record<string, unknown>} header
 * @property {Record<string, unknown>} claims `iat`, `exp` (two minutes later) and `jti` are added
 * @property {Record<string, string>[]} variations claims that are used in turn, such as one client after the other
 * @property {import('node:crypto').JsonWebKey} key private
 * @property {string} parameter name of the signed text in the form
 * @property {Record<string, string>} form the other parameters
 */

/**
 * Signs all forms in advance, because the work of clients is not measured.
 *
 * @param {Forms} forms
 */
export function signForms({ count, header, claims, variations, key, parameter, form }) {
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  const iat = Math.floor(Date.now() / 1000);
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const head = encode({ alg: 'ES256', ...header });
  const others = new URLSearchParams(form).toString();
  return Array.from({ length: count }, (_, number) => {
    const variation = variations[number % variations.length];
    const payload = { ...claims, ...variation, iat, exp: iat + 120, jti: randomUUID() };
    const text = `${head}.${encode(payload)}`;
    const signature = sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${others}&${parameter}=${text}.${signature.toString('base64url')}`;
  });
}
