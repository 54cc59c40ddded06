// Access without a library: `openssl` signs the assertion, and `curl` sends it, exchanges the token and calls.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { CertificateMaker, opensslMissing } from '../testing/openssl-chain.js';
import { type Running, startAccess } from '../testing/running-access.js';

const run = promisify(execFile);

const skip =
  opensslMissing ||
  (spawnSync('curl', ['--version']).status === 0
    ? false
    : 'the curl command is not installed: apt-get install curl');

/** As an integrator would write it. The response of each step is a line of the output. */
const script = `
set -eu
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

now=$(date +%s)
header=$(printf '{"alg":"%s","x5c":["%s","%s"]}' RS256 "$LEAF" "$ISSUER" | base64url)
claims=$(printf '{"iss":"shell","aud":"%s","scope":"%s","iat":%d,"exp":%d,"jti":"%s"}' \\
  "$IDP_URL" "$SCOPE" "$now" "$((now + 60))" "$(openssl rand -hex 16)" | base64url)
signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -sha256 -sign "$KEY" | base64url)

field() { sed -n 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p'; }
send() { curl --silent --show-error --fail-with-body "$@"; }

token=$(send "$IDP_URL/token" --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer \\
  --data-urlencode "assertion=$header.$claims.$signature" | field access_token)
customs=$(send "$BASE_URL/api/access/external/oauth/token" --data grant_type=token-exchange \\
  --data subject_token_type=access_token --data-urlencode "subject_token=$token" | field access_token)
send -H "Authorization: Bearer $customs" "$BASE_URL/api/movement/road/v2/test-auth"
`;

describe('curl and openssl', { skip }, () => {
  const make = new CertificateMaker();
  let running: Running;
  let folder: string;
  let environment: Record<string, string>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-curl-'));
    const root = make.root('Shell Root');
    const issuer = make.authority('Shell Issuer', root);
    const key = ['-newkey', 'rsa', '-pkeyopt', 'rsa_keygen_bits:2048'];
    const leaf = make.seal('SHELL', issuer, { key });
    running = await startAccess({ trustedIssuers: [root.pem] });
    await running.access.putOrganisation('NTRDE-SHELL', {
      name: 'Shell',
      kind: 'foreign',
      grantedScopes: ['movement/entry'],
    });
    const keyFile = join(folder, 'key.pem');
    await writeFile(keyFile, leaf.key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    environment = {
      PATH: process.env.PATH ?? '',
      BASE_URL: running.baseUrl,
      IDP_URL: running.idpUrl,
      KEY: keyFile,
      LEAF: leaf.x5c,
      ISSUER: issuer.x5c,
      SCOPE: 'customs:eu/movement/entry',
    };
  });
  after(async () => {
    await running?.close();
    make.remove();
    await rm(folder, { recursive: true });
  });

  test('get a token, exchange it and call with it', async () => {
    const { stdout } = await run('sh', ['-c', script], { env: environment });
    assert.equal(stdout, 'OK');
  });

  test('show why a grant is refused', async () => {
    const env = { ...environment, SCOPE: 'customs:movement/entry' };
    // Without a token the next step fails: the response of each is on the standard error of the shell.
    const shown = script.replace(/ \| field access_token\)/, ' >&2)');
    const error: { stderr?: string } = await run('sh', ['-c', shown], { env }).then(
      () => assert.fail('a foreign business got a plain scope'),
      (failure: { stderr?: string }) => failure,
    );
    assert.match(error.stderr ?? '', /"error_description":"MP-200 .*correlation id/);
  });
});
