// Keys and certificates that openssl made are registered with the command, and get tokens with every algorithm.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { type DomesticCredentials, Landfall } from '@landfall/client';
import type { Playground } from '@landfall/playground';
import { runCommand } from '../../testing/run-command.js';
import { startPlayground } from '../../testing/start-playground.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const data = await makeTemporaryFolder();
const organisation = '0192:310000086';
let playground: Playground;
let baseUrl: string;
before(async () => {
  playground = await startPlayground(data);
  baseUrl = playground.baseUrl;
});
after(() => playground.close());

async function run(words: readonly string[], code = 0): Promise<string> {
  const result = await runCommand(['organisation', ...words, '--data', data]);
  assert.equal(result.code, code, `${words.join(' ')}\n${result.stdout}${result.stderr}`);
  return code === 0 ? result.stdout : result.stderr;
}

const file = (name: string) => join(data, name);
const openssl = (words: string) => execFileSync('openssl', words.split(' '), { stdio: 'pipe' });

/** Makes `<name>.key`, `<name>.pub` and `<name>.crt`. */
function makeKey(name: string, algorithm: string): void {
  openssl(`genpkey ${algorithm} -out ${file(name)}.key`);
  openssl(`pkey -in ${file(name)}.key -pubout -out ${file(name)}.pub`);
  openssl(
    `req -x509 -key ${file(name)}.key -out ${file(name)}.crt -days 30 -subj /C=NO/O=Own/2.5.4.97=NTRNO-310000086/CN=Own -addext keyUsage=critical,digitalSignature -addext basicConstraints=critical,CA:FALSE`,
  );
}

/** Reads something with a token that this key got. */
async function call(
  credentials: Omit<DomesticCredentials, 'kind' | 'identityProvider' | 'scopes'>,
) {
  const client = new Landfall({
    baseUrl,
    credentials: {
      ...credentials,
      kind: 'domestic',
      scopes: ['customs:movement/entry'],
      identityProvider: { url: `${baseUrl}/idp` },
    },
  });
  return (await client.readRoutingSignals()).entries;
}

const kinds = [
  {
    name: 'rsa',
    made: '-algorithm RSA -pkeyopt rsa_keygen_bits:2048',
    algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  },
  { name: 'p256', made: '-algorithm EC -pkeyopt ec_paramgen_curve:P-256', algorithms: ['ES256'] },
  { name: 'p384', made: '-algorithm EC -pkeyopt ec_paramgen_curve:P-384', algorithms: ['ES384'] },
  { name: 'p521', made: '-algorithm EC -pkeyopt ec_paramgen_curve:P-521', algorithms: ['ES512'] },
  { name: 'ed25519', made: '-algorithm ED25519', algorithms: ['EdDSA'] },
] as const;

it('create registers a client with its certificate, and add-key keys of every kind', async () => {
  makeKey('first', kinds[1].made);
  const words = [
    'create',
    organisation,
    '--name',
    'Own',
    '--grant',
    'movement/entry',
    '--client',
    'own',
  ];
  const made = await run([...words, '--certificate', `${file('first')}.crt`]);
  assert.match(made, /clients {2}own\n/);
  const pem = await readFile(`${file('first')}.crt`, 'utf8');
  const key = await readFile(`${file('first')}.key`, 'utf8');
  assert.deepEqual(await call({ clientId: 'own', key, certificates: pem }), []);

  for (const { name, made: algorithm, algorithms } of kinds) {
    makeKey(name, algorithm);
    await run(['add-key', organisation, `${file(name)}.pub`, '--client', 'own', '--kid', name]);
    await run(['add-key', organisation, '--certificate', `${file(name)}.crt`, '--client', 'own']);
    for (const each of algorithms) {
      const own = {
        clientId: 'own',
        key: await readFile(`${file(name)}.key`, 'utf8'),
        algorithm: each,
      };
      assert.deepEqual(await call({ ...own, keyId: name }), [], `${each} by kid`);
      const certificates = await readFile(`${file(name)}.crt`, 'utf8');
      assert.deepEqual(await call({ ...own, certificates }), [], `${each} by x5c`);
    }
  }
});

it('a key that is not registered gets no token, nor does one of another organisation', async () => {
  makeKey('other', kinds[1].made);
  const key = await readFile(`${file('other')}.key`, 'utf8');
  await assert.rejects(call({ clientId: 'own', key, keyId: 'p256' }), /MP-124/);
  const certificates = await readFile(`${file('other')}.crt`, 'utf8');
  await assert.rejects(call({ clientId: 'own', key, certificates }), /MP-120/);
});

it('options that do not go together, and files of another kind, are explained', async () => {
  const add = ['add-key', organisation, '--client', 'own'];
  assert.match(await run(add, 2), /either a file with a key, or --certificate/);
  assert.match(await run([...add, `${file('rsa')}.pub`], 2), /a key requires --kid/);
  assert.match(
    await run([...add, '--certificate', `${file('rsa')}.key`], 2),
    /rsa\.key is a private key: keep it, and give the certificate/,
  );
  assert.match(
    await run([...add, '--certificate', `${file('rsa')}.pub`], 2),
    /has no certificate \(PEM\)/,
  );
  const create = [
    'create',
    '0192:310000094',
    '--name',
    'New',
    '--certificate',
    `${file('rsa')}.crt`,
  ];
  assert.match(await run(create, 2), /--certificate requires --client/);
});
