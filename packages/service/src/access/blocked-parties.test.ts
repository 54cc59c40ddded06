// Every party that a token names, by every kind of block, by each way to write a client id: with the playground's identity
// provider and with an external one, as in production.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { OrganisationEntry } from '@landfall/contract';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { assertRefused, forge } from '../testing/forged-tokens.js';
import { call, exchange, type Running, startAccess } from '../testing/running-access.js';

const OWNER = '0192:974760673';
const OTHER = '0192:974760681';
const SEALED = 'NTRDE-HRB100';
const SEALED_TOO = 'NTRDE-HRB200';
const CLIENT = 'Shared-client';
const SEAL = 'eidas-1a01';

const domestic = (id: string) => ({ authority: 'iso6523-actorid-upis', ID: id });
const foreign = (id: string) => ({ authority: 'etsi-en-319-412', ID: id });

const granted: Pick<OrganisationEntry, 'grantedScopes'> = { grantedScopes: ['movement/entry'] };
const entries: Record<string, OrganisationEntry> = {
  [OWNER]: { ...granted, name: 'Owner', kind: 'domestic', clients: [{ client_id: CLIENT }] },
  [OTHER]: { ...granted, name: 'Other', kind: 'domestic' },
  [SEALED]: { ...granted, name: 'Sealed', kind: 'foreign', clients: [{ client_id: SEAL }] },
  [SEALED_TOO]: { ...granted, name: 'Sealed too', kind: 'foreign', clients: [{ client_id: SEAL }] },
};

/** A token, with those that it names. */
type Named = { claims: JWTPayload; organisations: string[]; client: string };

const tokens: Record<string, Named> = {
  'its consumer': {
    claims: { client_id: CLIENT, consumer: domestic(OWNER) },
    organisations: [OWNER],
    client: CLIENT,
  },
  'a client of another organisation than its consumer': {
    claims: { client_id: CLIENT, consumer: domestic(OTHER) },
    organisations: [OTHER, OWNER],
    client: CLIENT,
  },
  'a supplier': {
    claims: { client_id: 'unregistered', consumer: domestic(OTHER), supplier: domestic(OWNER) },
    organisations: [OTHER, OWNER],
    client: 'unregistered',
  },
  'a supplier and its client': {
    claims: { client_id: CLIENT, consumer: domestic(OTHER), supplier: domestic(OWNER) },
    organisations: [OTHER, OWNER],
    client: CLIENT,
  },
  "the number of the client's organisation": {
    claims: {
      client_id: 'unregistered',
      consumer: domestic(OTHER),
      client_orgno: OWNER.slice('0192:'.length),
    },
    organisations: [OTHER, OWNER],
    client: 'unregistered',
  },
  'the organisation of a system user': {
    claims: {
      client_id: 'unregistered',
      consumer: domestic(OTHER),
      authorization_details: [{ type: 'urn:system', systemuser_org: domestic(OWNER) }],
    },
    organisations: [OTHER, OWNER],
    client: 'unregistered',
  },
  'an organisation within the consumer': {
    claims: {
      client_id: 'unregistered',
      consumer: { ...domestic(OTHER), acting_for: [domestic(OWNER)] },
    },
    organisations: [OTHER, OWNER],
    client: 'unregistered',
  },
  'an eSeal': {
    claims: { client_id: SEAL, consumer: foreign(SEALED) },
    organisations: [SEALED],
    client: SEAL,
  },
  'an eSeal with the serial number of another issuer': {
    claims: { client_id: SEAL, consumer: foreign(SEALED_TOO) },
    organisations: [SEALED_TOO],
    client: SEAL,
  },
};

/** A block: which organisation is put, how it is changed, and whom it concerns. */
type Block = { id: string; change: Partial<OrganisationEntry>; meets: (named: Named) => boolean };

const blocks: Record<string, Block> = {
  'of no one': { id: OWNER, change: {}, meets: () => false },
};
for (const id of Object.keys(entries)) {
  blocks[`of the organisation ${id}`] = {
    id,
    change: { blocked: true },
    meets: ({ organisations }) => organisations.includes(id),
  };
}
for (const written of [CLIENT, CLIENT.toLowerCase(), CLIENT.toUpperCase()]) {
  blocks[`of the client ${written}`] = {
    id: OWNER,
    change: { clients: [{ client_id: written, blocked: true }] },
    meets: ({ client }) => client.toLowerCase() === CLIENT.toLowerCase(),
  };
}
blocks['by which the client is removed'] = {
  id: OWNER,
  change: { clients: [] },
  meets: ({ client, claims: { consumer, supplier } }) =>
    client === CLIENT && [consumer, supplier].some((each) => JSON.stringify(each)?.includes(OWNER)),
};
for (const id of [SEALED, SEALED_TOO]) {
  for (const written of [SEAL, SEAL.toUpperCase()]) {
    blocks[`of the eSeal ${written} of ${id}`] = {
      id,
      change: { clients: [{ client_id: written, blocked: true }] },
      meets: ({ client, organisations }) => client === SEAL && organisations.includes(id),
    };
  }
  blocks[`by which the eSeal of ${id} is removed`] = {
    id,
    change: { clients: [] },
    meets: ({ client, organisations }) => client === SEAL && organisations.includes(id),
  };
}

/** Ways to write a client id that are another text and look alike. */
const spellings: Record<string, { write: (id: string) => string; isOdd: boolean }> = {
  'as it is': { write: (id) => id, isOdd: false },
  'in capitals': { write: (id) => id.toUpperCase(), isOdd: false },
  'in lower case': { write: (id) => id.toLowerCase(), isOdd: false },
  'with a blank before it': { write: (id) => ` ${id}`, isOdd: true },
  'with a blank after it': { write: (id) => `${id} `, isOdd: true },
  'with a no-break space': { write: (id) => `${id}\u00a0`, isOdd: true },
  'with U+2011': { write: (id) => `${id.replace('-', '\u2011')}\u2011`, isOdd: true },
  'with U+202E': { write: (id) => `\u202e${id}`, isOdd: true },
  'with a zero-width space': { write: (id) => `${id}\u200b`, isOdd: true },
  'with a Cyrillic letter': { write: (id) => `${id}\u0435`, isOdd: true },
  'with a line feed': { write: (id) => `${id}\n`, isOdd: true },
  'with U+0000': { write: (id) => `${id}\0`, isOdd: true },
  'with a lone surrogate': { write: (id) => `${id}\ud800`, isOdd: true },
  'as an empty text': { write: () => '', isOdd: true },
  'with more than 200 characters': { write: (id) => id.padEnd(201, 'x'), isOdd: true },
};

/** Odd ones are refused before anybody asks who is blocked: with no block and with one of the client is enough. */
const spellingsAt = (block: string) =>
  Object.entries(spellings).filter(
    ([, { isOdd }]) => !isOdd || ['of no one', `of the client ${CLIENT}`].includes(block),
  );

/** An external provider with a key set over HTTP. */
async function startProvider() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: '1', alg: 'ES256' };
  const server = createServer((_request, response) => {
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const issuer = `http://localhost:${address.port}`;
  return {
    settings: { identityProvider: { issuer, jwksUrl: `${issuer}/jwk` } },
    sign: (_running: Running, claims: JWTPayload) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: '1' })
        .setIssuer(issuer)
        .setIssuedAt()
        .setExpirationTime('1 minute')
        .sign(privateKey),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ownProvider = async () => ({ settings: {}, sign: forge, close: () => undefined });

// Each database with the provider that it is used with: the provider has no part in the SQL of blocks.
const providers = {
  embedded: { provider: "the playground's identity provider", start: ownProvider },
  PostgreSQL: { provider: 'an external identity provider', start: startProvider },
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  const { provider, start } = providers[name];
  describe(`blocks on ${name} with ${provider}`, { skip }, () => {
    let database: Database;
    let running: Running;
    let started: Awaited<ReturnType<typeof start>>;
    /** Customs tokens that were issued while nobody was blocked. */
    const existing = new Map<string, string>();
    before(async () => {
      database = await open();
      started = await start();
      running = await startAccess({ database, ...started.settings });
      for (const [id, entry] of Object.entries(entries)) await put(id, entry);
      for (const [which, named] of Object.entries(tokens)) {
        const { body } = await exchangeAs(named, named.client);
        existing.set(which, String(body.access_token));
      }
    });
    after(async () => {
      await running?.close();
      started?.close();
      await database?.close();
    });

    async function put(id: string, entry: OrganisationEntry): Promise<void> {
      const result = await running.access.putOrganisation(id, entry);
      assert.ok('organisation' in result, JSON.stringify(result));
    }

    async function unblock(id: string): Promise<void> {
      const entry = await running.access.getOrganisation(id);
      assert.ok(entry);
      const clients = entry.clients.map((client) => ({ ...client, blocked: false }));
      await put(id, { ...entry, clients, blocked: false });
    }

    async function exchangeAs({ claims }: Named, clientId: string) {
      const isForeign = JSON.stringify(claims.consumer).includes('etsi');
      const scope = isForeign ? 'customs:eu/movement/entry' : 'customs:movement/entry';
      return exchange(
        running,
        await started.sign(running, { scope, ...claims, client_id: clientId }),
      );
    }

    for (const [what, { id, change, meets }] of Object.entries(blocks)) {
      test(`a block ${what} meets every token that names it, and no other`, async () => {
        const entry = entries[id];
        assert.ok(entry);
        await put(id, { ...entry, ...change });
        await Promise.all(
          Object.entries(tokens).map(async ([which, named]) => {
            const { status } = await call(running, existing.get(which) ?? '');
            assert.equal(status, meets(named) ? 401 : 200, `a customs token that names ${which}`);
            await Promise.all(
              spellingsAt(what).map(async ([how, { write, isOdd }]) => {
                const response = await exchangeAs(named, write(named.client));
                const label = `a token that names ${which}, its client ${how}`;
                if (!isOdd && !meets(named)) return assert.equal(response.status, 200, label);
                assert.equal(response.status, 400, label);
                return assertRefused(
                  response,
                  'invalid_request',
                  isOdd ? /^client_id is / : /is blocked/,
                );
              }),
            );
          }),
        );
        await unblock(id);
        await put(id, entry);
        for (const [which, named] of Object.entries(tokens)) {
          assert.equal((await exchangeAs(named, named.client)).status, 200, which);
          assert.equal((await call(running, existing.get(which) ?? '')).status, 200, which);
        }
      });
    }

    test('an open read ends when another party of its token is blocked on another server', async () => {
      const named = tokens['a supplier'];
      const entry = entries[OWNER];
      assert.ok(named && entry);
      const { body } = await exchangeAs(named, named.client);
      const headers = { authorization: `Bearer ${body.access_token}` };
      const caller = await running.access.authenticate({ headers });
      assert.equal(await caller.stillAllowed(), true);
      const block = (blocked: boolean) => ({
        name: `block-elsewhere-${blocked}`,
        text: `update organisation set blocked = ${blocked} where identifier = $1`,
        values: [OWNER],
      });
      await database.query(block(true));
      running.clock.moveOn(5);
      assert.equal(await caller.stillAllowed(), false);
      await database.query(block(false));
      running.clock.moveOn(5);
      assert.equal(await caller.stillAllowed(), true);
    });

    test('a token whose other parties cannot be read is refused, with the claim named', async () => {
      for (const claims of [
        { supplier: OWNER },
        { supplier: null },
        { supplier: [domestic(OWNER)] },
        { supplier: { ...domestic(OWNER), ID: OWNER.slice('0192:'.length) } },
        { supplier: domestic(`${OWNER} `) },
        { supplier: domestic('0192:97476067\uff13') },
        { supplier: foreign(SEALED) },
        { supplier: { authority: 'other', ID: OWNER } },
        { client_orgno: OWNER },
        { client_orgno: 974_760_673 },
        { authorization_details: [{ systemuser_org: foreign(SEALED) }] },
      ]) {
        const [claim = ''] = Object.keys(claims);
        assertRefused(
          await exchangeAs(
            { claims: { consumer: domestic(OTHER), ...claims }, organisations: [], client: '' },
            'unregistered',
          ),
          'invalid_request',
          new RegExp(`^${claim} is .* and must name `),
        );
      }
    });

    test('a change that would remove what is blocked is refused, and changes nothing', async () => {
      const named = tokens['a client of another organisation than its consumer'];
      const entry = entries[OWNER];
      assert.ok(named && entry);
      const removed = { ...entry, clients: [] };
      const { clients: _, ...leftOut } = entry;
      const isBlocked = { ...entry, clients: [{ client_id: CLIENT, blocked: true }] };
      const otherSpelling = { ...entry, clients: [{ client_id: CLIENT.toLowerCase() }] };
      for (const [before, after, who] of [
        [isBlocked, removed, CLIENT],
        [isBlocked, leftOut, CLIENT],
        [isBlocked, otherSpelling, CLIENT],
        [{ ...entry, blocked: true }, { ...removed, blocked: true }, OWNER],
        [entry, { ...leftOut, blocked: true }, OWNER],
      ] as const) {
        await put(OWNER, before);
        const stored = await running.access.getOrganisation(OWNER);
        const { status } = await exchangeAs(named, CLIENT);
        const result = await running.access.putOrganisation(OWNER, { ...after, name: 'Changed' });
        assert.ok('errors' in result, JSON.stringify(after));
        const [{ field, code, error } = assert.fail()] = result.errors;
        assert.deepEqual([field, code], ['clients', 'REQUIRED']);
        assert.match(
          error,
          new RegExp(`${who} is blocked: keep .* in the list, or unblock it first`),
        );
        assert.deepEqual(await running.access.getOrganisation(OWNER), stored);
        assert.equal((await exchangeAs(named, CLIENT)).status, status);
        await unblock(OWNER);
      }
    });

    test('a blocked client can be removed when it is unblocked, or when its block stays in other capitals', async () => {
      const named = tokens['a client of another organisation than its consumer'];
      const entry = entries[OWNER];
      assert.ok(named && entry);
      for (const written of [CLIENT, CLIENT.toUpperCase()]) {
        await put(OWNER, { ...entry, clients: [{ client_id: written, blocked: true }] });
        assert.equal((await exchangeAs(named, CLIENT)).status, 400);
      }
      await unblock(OWNER);
      await put(OWNER, { ...entry, clients: [] });
      assert.equal((await exchangeAs(named, CLIENT)).status, 200);
      await put(OWNER, entry);
    });

    test('a block that could meet nobody is refused', async () => {
      const results: [string, string, RegExp][] = [
        [SEALED, 'some-client', /must be eidas- and the serial number/],
        [SEALED, 'eidas-1A:01', /must be eidas- and the serial number/],
        [SEALED, 'eidas-', /must be eidas- and the serial number/],
        [OWNER, 'eidas-1a01', /must not begin with eidas-/],
      ];
      for (const [id, clientId, error] of results) {
        const entry = entries[id];
        assert.ok(entry);
        const clients = [{ client_id: clientId, blocked: true }];
        const result = await running.access.putOrganisation(id, { ...entry, clients });
        assert.ok('errors' in result, clientId);
        assert.equal(result.errors[0]?.field, 'clients.0.client_id');
        assert.match(result.errors[0]?.error ?? '', error);
      }
    });
  });
}
