// `landfall admin check-provider` says claim by claim what a token lacks, and what an issuer publishes wrongly.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Finding } from '@landfall/service';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { exitCodes } from '../../process/exit-codes.js';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall } from '../../testing/run-landfall.js';

const { privateKey, publicKey } = await generateKeyPair('RS256');
const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };

/** What the provider publishes; tests change it. */
let published: Record<string, unknown>;
let issuer = '';
/** How it responds instead, if it does. */
let fault: ((response: ServerResponse) => void) | undefined;
const server = createServer(({ url = '' }, response) => {
  if (fault !== undefined) return fault(response);
  const value = published[url];
  response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value ?? {}));
});
const DISCOVERY = '/.well-known/openid-configuration';

const publish = (metadata: Record<string, unknown> = {}, keys: object[] = [key]) => {
  published = {
    '/jwks': { keys },
    [DISCOVERY]: {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      code_challenge_methods_supported: ['S256'],
      ...metadata,
    },
  };
};

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast is true because it listens on a port.
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const consumer = { authority: 'iso6523-actorid-upis', ID: '0192:310000019' };

const sign = (claims: JWTPayload, typ = 'JWT') =>
  new SignJWT({
    iss: issuer,
    client_id: 'some-client',
    scope: 'customs:movement/entry',
    consumer,
    exp: Math.floor(Date.now() / 1000) + 120,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', typ })
    .sign(privateKey);

/** The rules that are broken or open, and how the command ended. */
async function check(words: readonly string[], input = '') {
  const { code, stdout, stderr } = await runLandfall(['admin', 'check-provider', ...words], {
    input,
  });
  // The cast is true because the command has printed its findings.
  const findings = (stdout.startsWith('[') ? JSON.parse(stdout) : []) as (Finding & {
    advice: string | null;
  })[];
  const rules = (holds: boolean | null) =>
    findings.filter((one) => one.holds === holds).map(({ rule }) => rule);
  return { code, stdout, stderr, findings, broken: rules(false), open: rules(null) };
}

const checkToken = (token: string, ...words: string[]) =>
  check(['--issuer', issuer, '--jwks-url', `${issuer}/jwks`, '--json', ...words], token);

describe('of a token', () => {
  before(() => publish());

  it('every rule of the exchange holds', async () => {
    const { code, broken, open } = await checkToken(
      await sign({ aud: 'https://customs.example' }),
      '--base-url',
      'https://customs.example',
    );
    assert.deepEqual([code, broken, open], [0, [], []]);
  });

  it('names each claim that is missing or wrong', async () => {
    const faults: [JWTPayload, string[]][] = [
      // What a provider issues that nobody has told of Landfall.
      [
        { client_id: undefined, azp: 'some-client', consumer: undefined, scope: 'openid profile' },
        ['client_id', 'consumer', 'scope'],
      ],
      [{ consumer: '0192:310000019' }, ['consumer']],
      [{ consumer: { authority: 'iso6523-actorid-upis', ID: '310000019' } }, ['consumer']],
      [{ supplier: { authority: 'other', ID: 'x' } }, ['other-parties']],
      [{ scope: undefined }, ['scope']],
      // The form of the other kind of organisation.
      [{ scope: 'customs:eu/movement/entry' }, ['scope']],
      [{ consumer: { authority: 'etsi-en-319-412', ID: 'NTRDE-HRB000001' } }, ['scope']],
      [{ exp: 1 }, ['not-over']],
      [{ exp: Math.floor(Date.now() / 1000) + 90_000 }, ['lifetime']],
      [{ iss: 'https://other.example' }, ['iss']],
    ];
    for (const [claims, expected] of faults) {
      const { code, broken, findings } = await checkToken(await sign(claims));
      assert.deepEqual([code, broken], [1, expected], JSON.stringify(claims));
      for (const { holds, advice } of findings) assert.equal(advice !== null, holds === false);
    }
    assert.deepEqual((await checkToken(await sign({}, 'logout+jwt'))).broken, ['type']);
    assert.deepEqual((await checkToken('opaque')).broken, ['form']);
  });

  it('accepts the scopes of a foreign organisation with eu/ in them', async () => {
    const claims = {
      consumer: { authority: 'etsi-en-319-412', ID: 'NTRDE-HRB000001' },
      scope: 'customs:eu/movement/entry',
    };
    assert.deepEqual((await checkToken(await sign(claims))).broken, []);
  });

  it('is readable without colours, and names the chapter', async () => {
    const token = await sign({ consumer: undefined });
    const { stdout, stderr, code } = await check(['--issuer', issuer], token);
    assert.equal(code, 1);
    assert.match(stdout, /^ {2}✗ broken +consumer +invalid_request subject_token has no consumer/m);
    assert.match(stdout, /^ {2}\? open +signature /m);
    assert.match(stderr, /^1 rule is broken; .*docs\/guide\/identity-provider\.md\n$/);
  });

  it('says that the key set cannot be read', async () => {
    const { code, broken } = await checkToken(
      await sign({}),
      '--jwks-url',
      'http://127.0.0.1:2/jwks',
    );
    assert.deepEqual([code, broken], [3, ['key-set']]);
  });
});

describe('of the address of an issuer', () => {
  it('everything that is published fits', async () => {
    publish();
    const { code, broken, open } = await check([issuer, '--json']);
    assert.deepEqual([code, broken, open], [0, [], []]);
    const { stdout } = await check([issuer]);
    assert.match(stdout, /^ {2}✓ holds +algorithms +the keys verify RS256$/m);
  });

  it('names what does not', async () => {
    const weak = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
    const faults: [() => void, string[], string[]][] = [
      [() => publish({ issuer: 'https://other.example' }), ['issuer'], []],
      [() => publish({ jwks_uri: undefined }), ['jwks_uri'], []],
      [() => publish({}, []), ['key-set', 'algorithms'], []],
      [() => publish({}, [{ kty: 'oct', k: 'AAAA', kid: 'one' }]), ['algorithms', 'keys'], []],
      [() => publish({}, [key, { ...weak, kid: 'one', alg: 'RS256' }]), ['algorithms', 'keys'], []],
      [() => publish({ code_challenge_methods_supported: [] }), [], ['console-sign-in']],
      [() => Object.assign(published, { [DISCOVERY]: undefined }), ['discovery'], []],
    ];
    for (const [change, expected, expectedOpen] of faults) {
      publish();
      change();
      const { code, broken, open } = await check([issuer, '--json']);
      assert.deepEqual(
        [code, broken, open],
        [expected.length > 0 ? 1 : 0, expected, expectedOpen],
        String(change),
      );
    }
  });

  it('compares it with the settings of the service, which needs no discovery', async () => {
    publish();
    const settings = ['--issuer', 'https://other.example', '--jwks-url', `${issuer}/other`];
    const { code, broken } = await check([issuer, ...settings, '--json']);
    assert.deepEqual(
      [code, broken],
      [1, ['LANDFALL_IDP_ISSUER', 'LANDFALL_IDP_JWKS_URL', 'key-set']],
    );
    Object.assign(published, { [DISCOVERY]: undefined });
    const without = await check([issuer, '--jwks-url', `${issuer}/jwks`, '--json']);
    assert.deepEqual([without.code, without.broken, without.open], [0, [], ['discovery']]);
  });
});

describe('a provider that', () => {
  const { FAILED, UNREACHABLE } = exitCodes;
  const texts = [
    'null',
    '7',
    '"text"',
    '[]',
    '{}',
    '{"keys":null}',
    '{"keys":[null]}',
    '<html>',
    '',
  ];
  const statuses = (codes: readonly number[]) =>
    codes.map((status): [string, (response: ServerResponse) => void] => [
      `responds ${status}`,
      (response) => response.writeHead(status, { location: `${issuer}/elsewhere` }).end(),
    ]);
  const odd: [string, NonNullable<typeof fault>][] = [
    ...texts.map((text): [string, NonNullable<typeof fault>] => [
      `responds 200 with ${text || 'nothing'}`,
      (response) => response.end(text),
    ]),
    ['responds without HTTP', (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['sends too much', (response) => response.end(' '.repeat(300 * 1024))],
    ...statuses([301, 307, 400, 401, 404, 500]),
  ];
  const away: typeof odd = [
    ['closes the connection', (response) => response.socket?.destroy()],
    [
      'closes it within the body',
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{');
        setTimeout(() => response.socket?.destroy(), 20);
      },
    ],
    ['is silent', () => undefined],
    ...statuses([429, 502, 503, 504]),
  ];
  const cases = [
    ...odd.map((each) => [...each, FAILED.code] as const),
    ...away.map((each) => [...each, UNREACHABLE.code] as const),
  ];
  after(() => {
    fault = undefined;
  });

  for (const [what, respond, expected] of cases) {
    it(`${what} ends with ${expected}`, { timeout: 60_000 }, async () => {
      publish();
      const token = await sign({});
      const words = ['admin', 'check-provider'];
      const ofToken = ['--issuer', issuer, '--jwks-url', `${issuer}/jwks`];
      fault = respond;
      const byAddress = await runCommand([...words, issuer, '--json']);
      const byToken = await runCommand([...words, ...ofToken, '--json'], { input: token });
      fault = undefined;
      for (const { code, stdout, stderr } of [byAddress, byToken]) {
        assert.equal(code, expected, stdout + stderr);
        assert.doesNotMatch(stdout + stderr, /unexpected error|\n {4}at |undefined/);
        assert.match(stdout, /"holds": false/);
      }
    });
  }
});

it('a file that is missing or empty is an error of usage', async () => {
  assert.deepEqual((await check(['/nowhere/token.jwt'])).code, 2);
  const { code, stderr } = await check([], ' \n');
  assert.deepEqual([code, stderr], [2, 'error: stdin is empty\n']);
  assert.equal((await check(['http://'])).code, 2);
});

it('the clients of the realm for Keycloak have the claims that are needed', async () => {
  publish();
  type Client = {
    clientId: string;
    optionalClientScopes: string[];
    serviceAccountsEnabled: boolean;
    protocolMappers: { name: string; config: Record<string, string> }[];
  };
  const file = new URL('../../../../../deploy/keycloak/customs-realm.json', import.meta.url);
  // The cast is true because the file is ours; a client without these members fails below.
  const { clients } = JSON.parse(await readFile(file, 'utf8')) as { clients: Client[] };
  const systems = clients.filter(({ serviceAccountsEnabled }) => serviceAccountsEnabled);
  assert.equal(systems.length, 2);
  for (const { clientId, optionalClientScopes, protocolMappers } of systems) {
    const configOf = (name: string) =>
      protocolMappers.find((mapper) => mapper.name === name)?.config ?? {};
    const aud = configOf('audience')['included.custom.audience'] ?? '';
    const { broken } = await checkToken(
      await sign({
        // A session note of Keycloak has this name and the id of the client.
        [configOf('client_id')['claim.name'] ?? '']: clientId,
        [configOf('consumer')['claim.name'] ?? '']: JSON.parse(
          configOf('consumer')['claim.value'] ?? '',
        ),
        aud,
        scope: optionalClientScopes.join(' '),
      }),
      '--base-url',
      aud,
    );
    assert.deepEqual(broken, []);
  }
});
