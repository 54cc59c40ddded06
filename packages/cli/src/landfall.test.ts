// The command without a service: usage, help, and messages when there is no playground.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeCredentials } from './testing/make-credentials.js';
import { runCommand } from './testing/run-command.js';
import { runLandfall } from './testing/run-landfall.js';
import { makeTemporaryFolder } from './testing/temporary-folder.js';

const folder = await makeTemporaryFolder();

describe('wrong usage exits with 2 and an explanation', () => {
  const cases: [command: string, message: RegExp][] = [
    ['presnt', /unknown command 'presnt'\n\(Did you mean present\?\)/],
    ['status list --jsn', /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    ['playground --port abc', /whole number from 0 to 65535/],
    ['playground --port 65536', /whole number from 0 to 65535/],
    ['playground --log-level loud', /Allowed choices are silent, error/],
    ['token create --raw --json', /cannot be used with/],
    ['present box', /Allowed choices are house-consignment, master-consignment/],
    ['present container', /present container needs --container/],
    ['present container --container A --type N740', /present container does not take --type/],
    ['routing follow --wait 3', /unknown option '--wait'/],
    ['routing list --wait 61', /whole number from 1 to 60/],
    ['routing list --limit 0', /whole number from 1 to 1000/],
    ['routing list --url localhost', /must be an address/],
    ['status list --as ../carrier', /letters, digits and hyphens/],
    [
      'status view 23NO00000000000003',
      /a requestId is a UUID; .* status list --mrn 23NO00000000000003/,
    ],
    ['feed follow --marker yesterday', /It must be the eventId \(a UUID\), or "now" or "start"/],
    ['feed generate --declarations 0', /whole number from 1 to 999999999/],
    ['feed validate', /missing required argument 'file'/],
    ['feed valdate x', /Did you mean validate\?/],
    ['codelist import cl754 list.csv', /Allowed choices are cl141, cl144/],
    ['serve --port 65536', /whole number from 0 to 65535/],
    ['serve --data here', /unknown option '--data'/],
    ['admin migrate now', /too many arguments/],
    ['admin keys rotate --purpose all', /Allowed choices are customs-token, identity-provider/],
    ['admin keys rotate --at-once --keep 5', /cannot be used with/],
    ['organisation update 0192:310000051', /give at least one of --name/],
    ['organisation update NTRNO-1 --block --unblock', /cannot be used with/],
    ['organisation grant 0192:310000051', /missing required argument 'scope'/],
    ['organisation grant NTRNO-1 movement/moon', /Allowed choices are .*movement\/entry/],
    ['organisation create NTRNO-1', /required option '--name <name>' not specified/],
    ['token doctor no-such-file', /cannot read no-such-file \(ENOENT\)/],
    ['token doctor', /stdin is empty/],
    ['token doctor --aud here', /must be an address/],
  ];
  for (const [command, message] of cases) {
    it(command, async () => {
      const { code, stdout, stderr } = await runCommand(command.split(' '));
      assert.match(stderr, message);
      assert.equal(code, 2);
      assert.equal(stdout, '');
    });
  }
});

it('a separate process prints the same and exits with the same code', async () => {
  for (const words of [
    ['status', 'list', '--jsn'],
    ['status', 'list', '--help'],
    ['token', 'doctor', 'none'],
  ]) {
    assert.deepEqual(await runCommand(words), await runLandfall(words));
  }
});

describe('help', () => {
  const verbs =
    'playground,serve,present,token create,status list,status view,routing list,routing follow,feed import,consignment list,consignment view,authority import,authority generate,routing-profile create,organisation view,organisation add-key,codelist import,admin bootstrap,admin migrate,admin keys list'.split(
      ',',
    );
  for (const verb of verbs) {
    it(`of ${verb} has an example`, async () => {
      const { code, stdout } = await runCommand([...verb.split(' '), '--help']);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`\\$ .*landfall ${verb}`));
    });
  }

  it('shows the default customs office of a presentation', async () => {
    const { stdout } = await runCommand(['present', '--help']);
    assert.match(stdout, /--office[^-]*default: "NO351001"/);
  });

  it('is printed when there is no subcommand', async () => {
    const { code, stderr } = await runLandfall([]);
    assert.equal(code, 2);
    assert.match(stderr, /Usage: landfall/);
  });
});

it('an option from the environment is validated like one from the command line', async () => {
  const { code, stderr } = await runCommand(['playground'], { environment: { PORT: 'abc' } });
  assert.equal(code, 2);
  assert.match(stderr, /'abc' from env 'PORT' is invalid\. It must be a whole number/);
});

it('prints its version', async () => {
  const { code, stdout } = await runLandfall(['--version']);
  assert.equal(code, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

it('says how to start a playground when there are no credentials', async () => {
  const data = join(folder, 'nothing');
  const { code, stderr } = await runCommand(['status', 'list', '--data', data]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: no credentials in .*landfall\.js playground --data .*\n$/);
});

it('says how to start a playground when the service is unreachable', async () => {
  const data = join(folder, 'stopped');
  const url = `http://127.0.0.1:${await closedPort()}`;
  await mkdir(join(data, 'credentials'), { recursive: true });
  await writeFile(
    join(data, 'credentials', 'carrier.json'),
    JSON.stringify({ ...makeCredentials(), base_url: url, idp_url: `${url}/idp` }),
    { mode: 0o600 },
  );
  const { code, stderr } = await runCommand(['status', 'list', '--data', data]);
  assert.equal(code, 3);
  assert.match(stderr, /^error: cannot reach http:\S+ \(ECONNREFUSED\); .* start it: .*\n$/);
});

it('uses no colours in a pipe, not even if CI is set', async () => {
  const { stdout, stderr } = await runLandfall(['--help'], { environment: { CI: 'true' } });
  assert.doesNotMatch(stdout + stderr, /\u001b/);
});

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  server.close();
  await once(server, 'close');
  return address.port;
}
