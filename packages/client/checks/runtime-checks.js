// What the client library must do on every runtime. Uses only what all of them have: no import but the library.
import { ApiError, GrantTokens, Landfall } from '@landfall/client';

/**
 * @typedef {{ baseUrl: string, credentials: import('@landfall/client').Credentials }} Access
 * @typedef {{ carrier: Access, express: Access, authority: Access }} Accesses
 */

/** Checks by name; each throws where the library does not work. */
const checks = {
  /** @param {Accesses} accesses */
  async 'a domestic business presents, and reads its status and signal'({ carrier }) {
    await presentAndRead(carrier, 'NO100000001MU');
  },

  /** @param {Accesses} accesses */
  async 'a foreign business presents with its eSeal'({ express }) {
    await presentAndRead(express, 'NO100000002MU');
  },

  async 'grants are signed with every algorithm'() {
    for (const [name, key, signature] of algorithms()) await checkAlgorithm(name, key, signature);
  },

  /** @param {Accesses} accesses */
  async 'an upload and its results are streams'({ authority }) {
    const landfall = new Landfall(authority);
    /** @param {string} documentNumber */
    const decide = (documentNumber) => ({
      mrn: '23NO00000000000003',
      transportDocumentHouseLevel: { documentNumber, type: /** @type {const} */ ('N740') },
      routing: /** @type {const} */ ('TO_CONTROL'),
    });
    async function* decisions() {
      yield decide('HC001');
      yield decide('UNKNOWN');
    }
    const statuses = [];
    for await (const { status } of await landfall.postRoutingDecisions(decisions())) {
      statuses.push(status);
    }
    assertEqual(statuses[1], 'REFUSED');
    assertEqual(statuses.length, 2);
  },

  /** @param {Accesses} accesses */
  async 'a refusal is an error with the broken rules'({ carrier }) {
    const refused = new Landfall(carrier).presentHouseConsignment(houseConsignment('UNKNOWN'));
    const error = await refused.catch((reason) => reason);
    assert(error instanceof ApiError && error.has('REFERENCE_NOT_FOUND'), String(error));
  },

  /** @param {Accesses} accesses */
  async 'a call that waits ends when it is aborted'({ carrier }) {
    const landfall = new Landfall(carrier);
    const last = await landfall.readRoutingSignals();
    const marker = last.entries.at(-1)?.routingResult.id;
    const aborting = new AbortController();
    setTimeout(() => aborting.abort(new Error('enough')), 200);
    const waiting = landfall.readRoutingSignals(marker === undefined ? {} : { marker }, {
      waitSeconds: 30,
      signal: aborting.signal,
    });
    const error = await waiting.catch((reason) => reason);
    assertEqual(error.message, 'enough');
  },
};

/**
 * Runs all checks.
 *
 * @param {Accesses} accesses
 * @returns {Promise<{ name: string, error?: string }[]>}
 */
export async function runChecks(accesses) {
  const results = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(accesses);
      results.push({ name });
    } catch (error) {
      results.push({
        name,
        error: error instanceof Error ? `${error.stack ?? error}` : `${error}`,
      });
    }
  }
  return results;
}

/** @param {string} documentNumber */
function houseConsignment(documentNumber) {
  return {
    requestId: crypto.randomUUID(),
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber, type: /** @type {const} */ ('N750') },
  };
}

/**
 * @param {Access} access
 * @param {string} documentNumber
 */
async function presentAndRead(access, documentNumber) {
  const landfall = new Landfall(access);
  const { requestId } = await landfall.presentHouseConsignment(houseConsignment(documentNumber));
  const status = await landfall.getValidationStatus(requestId);
  assert(!Array.isArray(status) && 'status' in status, 'a requestId has one status');
  assertEqual(status.status, 'SUCCESS');
  const { entries } = await landfall.readRoutingSignals();
  assert(entries.length > 0, 'there is a signal');
}

/** Each algorithm, how WebCrypto makes a key for it, and how it verifies. */
function* algorithms() {
  for (const bits of [256, 384, 512]) {
    const hash = `SHA-${bits}`;
    const rsa = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash };
    const pkcs1 = { name: 'RSASSA-PKCS1-v1_5' };
    yield [`RS${bits}`, { ...rsa, ...pkcs1 }, pkcs1];
    const pss = { name: 'RSA-PSS' };
    yield [`PS${bits}`, { ...rsa, ...pss }, { ...pss, saltLength: bits / 8 }];
    const ecdsa = { name: 'ECDSA', namedCurve: bits === 512 ? 'P-521' : `P-${bits}` };
    yield [`ES${bits}`, ecdsa, { name: 'ECDSA', hash }];
  }
  yield ['EdDSA', { name: 'Ed25519' }, { name: 'Ed25519' }];
}

/** Signs a grant, and verifies what the identity provider would have received. */
async function checkAlgorithm(algorithm, keyAlgorithm, signatureAlgorithm) {
  const pair = await crypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  const { alg: _, ...jwk } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  let assertion = '';
  const tokens = new GrantTokens({
    baseUrl: 'https://customs.example',
    credentials: {
      kind: 'domestic',
      clientId: 'client',
      keyId: 'key',
      key: jwk,
      ...(/^[RP]S/.test(algorithm) ? { algorithm } : {}),
      identityProvider: { url: 'https://idp.example' },
    },
    fetch: async (_address, init) => {
      assertion = new URLSearchParams(String(init.body)).get('assertion') ?? '';
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    },
  });
  await tokens.getToken(['movement/entry']).catch(() => undefined);
  const [header = '', payload, signature = ''] = assertion.split('.');
  assertEqual(JSON.parse(new TextDecoder().decode(decode(header))).alg, algorithm);
  const isValid = await crypto.subtle.verify(
    signatureAlgorithm,
    pair.publicKey,
    decode(signature),
    new TextEncoder().encode(`${header}.${payload}`),
  );
  assert(isValid, `${algorithm} signs`);
}

/** @param {string} text in base64url */
function decode(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/**
 * @param {boolean} condition
 * @param {string} message
 */
function assert(condition, message) {
  if (!condition) throw new Error(message);
}

function assertEqual(actual, expected) {
  assert(actual === expected, `${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}
