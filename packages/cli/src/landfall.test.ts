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
    ['status --jsn', /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    ['playground --port abc', /whole number from 0 to 65535/],
    ['playground --port 65536', /whole number from 0 to 65535/],
    ['playground --log-level loud', /Allowed choices are silent, error/],
    ['token', /required option '--as <name>' not specified/],
    ['token --as carrier --raw --json', /cannot be used with/],
    ['present box --as carrier', /Allowed choices are house-consignment, master-consignment/],
    ['present container --as carrier', /present container needs --container/],
    [
      'present container --as carrier --container A --type N740',
      /present container does not take --type/,
    ],
    ['routing --follow --wait 3', /cannot be used with/],
    ['routing --wait 61', /whole number from 1 to 60/],
    ['routing --limit 0', /whole number from 1 to 1000/],
    ['routing --url localhost', /must be an address/],
    ['status --as ../carrier', /letters, digits and hyphens/],
    ['status 23NO00000000000003 --status FAILURE', /--status cannot be combined with/],
    ['feed tail --from yesterday', /an eventId, "start" or "now"/],
    ['feed generate --declarations 0', /whole number from 1 to 999999999/],
    ['feed validate', /missing required argument 'file'/],
    ['feed valdate x', /Did you mean validate\?/],
    ['codelist import cl754 list.csv', /Allowed choices are cl141/],
    ['serve --port 65536', /whole number from 0 to 65535/],
    ['serve --data here', /unknown option '--data'/],
    ['migrate now', /too many arguments/],
    ['keys rotate --purpose all', /Allowed choices are customs-token, identity-provider/],
    ['keys rotate --at-once --keep 5', /cannot be used with/],
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
    ['status', '--jsn'],
    ['status', '--help'],
    ['token', 'doctor', 'none'],
  ]) {
    assert.deepEqual(await runCommand(words), await runLandfall(words));
  }
});

describe('help', () => {
  const verbs =
    'playground,token,present,status,routing,authority import,authority generate,authority organisations,codelist import,serve,migrate,keys list'.split(
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
  const { code, stderr } = await runCommand(['status', '--data', data]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: no credentials in .*landfall\.js playground --data .*\n$/);
});

it('says how to start a playground when the service is unreachable', async () => {
  const data = join(folder, 'stopped');
  await mkdir(join(data, 'credentials'), { recursive: true });
  await writeFile(join(data, 'credentials', 'carrier.json'), JSON.stringify(makeCredentials()));
  const url = `http://127.0.0.1:${await closedPort()}`;
  const { code, stderr } = await runCommand(['status', '--data', data, '--url', url]);
  assert.equal(code, 1);
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
