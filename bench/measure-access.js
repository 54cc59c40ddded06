// Measures token and exchange, compared with the bare cost of their signatures and with other token servers.
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { openEmbedded } from '../packages/service/dist/database/embedded/embedded.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { fillDatabase, ORGANISATIONS } from './goods.js';
import { startServer, startTarget, stopTarget } from './processes.js';

const SCOPE = 'customs:movement/entry';

/** Grants to sign per second of a run: more than any server here handles, because each is used once. */
const GRANTS_A_SECOND = 9000;

/** Number of subject tokens; they are used in turn, because a token may be exchanged more than once. */
const SUBJECT_TOKENS = 5000;

/** The key of every client, on the curve that Landfall also signs with. */
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateKey.export({ format: 'jwk' });
const publicJwk = JSON.stringify({
  ...publicKey.export({ format: 'jwk' }),
  kid: 'bench',
  alg: 'ES256',
  use: 'sig',
});

const numbers = Array.from({ length: ORGANISATIONS }, (_, number) => number);

/**
 * Measures the rows of access once.
 *
 * @param {object} run `measure`, `wanted`, `nextPort`, `seconds`, `warmUp`, `keysFolder`, `profile`, the identity
 * `provider`, a `folder` to keep an embedded database in, and the `database` of PostgreSQL at its `url`
 */
export async function measureAccess(run) {
  await registerClients(run.database);
  await measureBare(run, 'token: jose on node:http', 'jose-http', {
    forms: grants(run, (address) => ({ iss: 'bench', aud: address })),
  });
  await measureLandfall(run, 'token: PostgreSQL', run.url, 'own');
  await measureLandfall(run, 'token: embedded', await prepareEmbedded(run), 'own');
  await measureBare(run, 'token: oidc-provider', 'oidc-provider', {
    forms: grants(run, (address) => ({ iss: 'bench', sub: 'bench', aud: address }), {
      parameter: 'client_assertion',
      form: {
        grant_type: 'client_credentials',
        scope: SCOPE,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      },
    }),
  });
  await measureBare(run, 'token: oauth2-mock-server, verifies nothing', 'oauth2-mock-server', {
    forms: grants(run, () => ({ iss: 'bench' }), {
      parameter: 'assertion',
      form: { grant_type: 'client_credentials', scope: SCOPE },
    }),
  });
  await measureBare(run, 'exchange: jose on node:http', 'jose-http', {
    forms: (address) => subjectTokens(address, key),
  });
  await measureLandfall(run, 'exchange: PostgreSQL', run.url, 'external');
  await measureBare(run, 'exchange: oidc-provider', 'oidc-provider', {
    forms: (address) => subjectTokens(address, key, { client_id: 'exchanger' }),
  });
}

/** Measures a server that needs only a port and the key of the clients. */
async function measureBare({ measure, wanted, nextPort, profile }, name, target, { forms }) {
  if (!wanted(name)) return;
  const port = nextPort();
  const address = `http://localhost:${port}`;
  const child = await startTarget(`targets/${target}`, [String(port), address, publicJwk], profile);
  await measure(name, baselineOf(name), () => [child.pid], {
    kind: 'form',
    ports: [port],
    path: '/token',
    forms: forms(address),
  });
  await stopTarget(child);
}

/** Measures Landfall with its own identity provider, or with the external one whose tokens it exchanges. */
async function measureLandfall(run, name, location, kind) {
  const { measure, wanted, nextPort, provider, keysFolder, profile } = run;
  if (!wanted(name)) return;
  const port = nextPort();
  const issuer = kind === 'own' ? `http://localhost:${port}/idp` : provider.issuer;
  const server = { port, location, keysFolder, provider: { issuer } };
  const child = await startServer(server, profile);
  const load =
    kind === 'own'
      ? {
          path: '/idp/token',
          forms: grants(run, () => ({ aud: issuer }), undefined, numbers.map(clientOf))(issuer),
        }
      : {
          path: '/api/access/external/oauth/token',
          forms: subjectTokens(issuer, provider.privateJwk),
        };
  await measure(name, baselineOf(name), () => [child.pid], {
    kind: 'form',
    ports: [port],
    ...load,
  });
  await stopTarget(child);
}

function baselineOf(name) {
  return `${name.split(':', 1)[0]}: jose on node:http`;
}

function clientOf(number) {
  return { iss: `bench-${number}` };
}

/** Grants with different `jti`s. */
function grants({ seconds, warmUp }, claims, form = jwtBearer, variations = [{}]) {
  return (address) => ({
    count: GRANTS_A_SECOND * (seconds + warmUp),
    header: { kid: 'bench' },
    claims: { scope: SCOPE, ...claims(address) },
    variations,
    key,
    ...form,
  });
}

const jwtBearer = {
  parameter: 'assertion',
  form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
};

/** Tokens of an identity provider, for all organisations in turn. */
function subjectTokens(issuer, signedWith, form = {}) {
  return {
    count: SUBJECT_TOKENS,
    again: true,
    header: { kid: 'bench', typ: 'JWT' },
    claims: { iss: issuer, scope: SCOPE },
    variations: numbers.map((number) => ({
      client_id: `bench-${number}`,
      consumer: { authority: 'iso6523-actorid-upis', ID: `0192:${810_000_000 + number}` },
    })),
    key: signedWith,
    parameter: 'subject_token',
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      ...form,
    },
  };
}

/** Registers a client with a key for each organisation of a run. */
async function registerClients(database) {
  await database.query({
    name: '',
    text: `
      insert into client (client_id, organisation_id, keys)
      select 'bench-' || (right(identifier, 9)::integer - 810000000), id, jsonb_build_array($1::jsonb)
      from organisation where identifier like '0192:81%'
      on conflict do nothing`,
    values: [publicJwk],
  });
}

/** An embedded database with only the organisations and their clients. */
async function prepareEmbedded({ folder, wanted }) {
  const location = join(folder, 'embedded-access');
  if (!wanted('token: embedded')) return location;
  const database = await openEmbedded(location);
  if ((await migrate(database)).length > 0 || (await isEmpty(database))) {
    await fillDatabase(database, 0);
    await registerClients(database);
  }
  await database.close();
  return location;
}

async function isEmpty(database) {
  const text = 'select 1 from organisation limit 1';
  return (await database.query({ name: '', text, values: [] })).length === 0;
}
