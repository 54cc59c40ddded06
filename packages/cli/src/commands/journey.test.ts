// The first session of a new user: start a playground, get a token, present, read status and routing, stop, restart.
// The tests run in order; each continues from the state of the previous one.
import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../testing/run-command.js';
import { type RunningCommand, runLandfall, startLandfall } from '../testing/run-landfall.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

let playground: RunningCommand;
let baseUrl: string;

async function start(): Promise<void> {
  playground = startLandfall(['playground', '--port', '0', '--data', data]);
  await playground.printed(/Press Ctrl-C to stop/);
  baseUrl = (await playground.printed(/service +(http:\S+)/))[1] ?? '';
}

/**
 * Runs a command line against the playground, checks its exit code and returns its output. `by: runLandfall` gives it a
 * process of its own, beside which others can run.
 */
async function run(
  line: string,
  { code = 0, input = '', by = runCommand }: { code?: number; input?: string; by?: RunLine } = {},
): Promise<string> {
  const result = await by([...line.split(' '), '--data', data], { input });
  assert.equal(result.code, code, `landfall ${line}\n${result.stdout}${result.stderr}`);
  return code === 0 ? result.stdout : result.stderr;
}

type RunLine = typeof runCommand | typeof runLandfall;

before(start);
after(() => playground.process.kill('SIGKILL'));

describe('the playground', () => {
  it('reports its progress, addresses and identities', async () => {
    const [said] = await playground.printed(/[\s\S]*/);
    for (const name of ['carrier', 'forwarder', 'express', 'statistics', 'authority', 'newcomer']) {
      assert.match(said, new RegExp(`${name} .*(domestic|foreign)`));
    }
    assert.match(said, /API reference +http:\S+\/docs\/api\//);
    await playground.printed(/starting the playground in/);
    await playground.printed(/making a new database/);
  });

  it('listens at the reported address', async () => {
    assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
    assert.equal((await fetch(`${baseUrl}/docs/api/`)).status, 200);
  });
});

describe('token create', () => {
  it('obtains a token that the service accepts', async () => {
    for (const name of ['carrier', 'express', 'statistics', 'authority']) {
      const token = (await run(`token create --as ${name} --raw`)).trim();
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${baseUrl}/api/movement/road/v2/test-auth`, { headers });
      assert.equal(response.status, 200, name);
    }
  });

  it('prints the three steps on stderr and only the token on stdout', async () => {
    const { stdout, stderr } = await runLandfall([
      'token',
      'create',
      '--as',
      'forwarder',
      '--data',
      data,
    ]);
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    assert.match(stderr, /^1\. .*\n[\s\S]*^2\. .*\n[\s\S]*^3\. /m);
  });

  it('reports the refusal of the exchange for an organisation without scopes', async () => {
    const said = await run('token create --as newcomer', { code: 1 });
    assert.match(said, /^2\. /m);
    assert.match(said, /not authorized to request scope customs:movement\/entry/);
  });
});

describe('before anything is presented', () => {
  it('status and routing suggest what to do', async () => {
    assert.match(await run('status list'), /No requests of carrier yet\. Try: .*present/);
    assert.match(await run('routing list'), /No routing signals for carrier yet\. .*present/);
  });
});

describe('present', () => {
  it('is accepted, and suggests the command that shows its status', async () => {
    const said = await run('present house-consignment --as carrier --document HC001 --type N740');
    const requestId = /Presented\. requestId (\S+)/.exec(said)?.[1] ?? '';
    assert.match(requestId, uuid);
    assert.match(said, new RegExp(`Next: .*status view ${requestId} --as carrier`));
    const status = await run(`status view ${requestId} --as carrier`);
    assert.match(status, /^SUCCESS/);
    assert.match(status, /23NO00000000000003/);
    assert.match(status, /NO351001/);
  });

  it('works at every level', async () => {
    for (const reference of [
      'master-consignment --master-document MAWB0003 --type N741',
      'container --container JARU0000010',
      'receptacle --receptacle GBASFZMLBKONAUN30001001019999',
      'entry-summary-declaration --mrn 23NO00000000000004',
    ]) {
      assert.match(await run(`present ${reference} --as carrier`), /Presented/);
    }
  });

  it('is refused with field, error and code for an unknown reference', async () => {
    const line = 'present house-consignment --as carrier --document NO-SUCH --type N740';
    assert.match(
      await run(line, { code: 1 }),
      / {2}transportDocumentHouseLevel\S*: .* \(REFERENCE_NOT_FOUND\)/,
    );
    assert.match(
      await run('status list --status FAILURE'),
      /FAILURE[\s\S]*\(REFERENCE_NOT_FOUND\)/,
    );
  });

  it('is refused with a used requestId', async () => {
    const requestId = 'c0ffee00-0000-4000-8000-000000000001';
    const line = `present container --as forwarder --container JARU0000026 --request-id ${requestId}`;
    assert.match(await run(line), new RegExp(requestId));
    assert.match(await run(line, { code: 1 }), /requestId: .* \(REQUEST_ID_REUSED\)/);
  });

  it('works for a foreign business', async () => {
    const line = 'present house-consignment --as express --document HC003 --type N714';
    assert.match(await run(line), /Presented/);
    assert.match(await run('routing list --as express'), /HC003 +N714/);
  });

  it('is refused without the scope', async () => {
    const line = 'present container --as statistics --container JARU0000026';
    assert.match(await run(line, { code: 1 }), /needs the scope customs:movement\/entry/);
  });
});

it('status lists requests that reached a declaration, in pages', async () => {
  assert.match(await run('status list --mrn 23NO00000000000004'), /ENTRY_SUMMARY_DECLARATION/);
  const all: { requestId: string }[] = JSON.parse(await run('status list --json'));
  const [first, second] = all;
  assert.match(
    await run('status list --limit 1'),
    new RegExp(`More requests: .*${first?.requestId}`),
  );
  const next = JSON.parse(await run(`status list --limit 1 --marker ${first?.requestId} --json`));
  assert.deepEqual(next, [second]);
});

describe('routing', () => {
  it('is a table with the command for later signals', async () => {
    const said = await run('routing list');
    assert.match(said, /^HC001 +N740 +23NO00000000000003 .*TO_ENTRY/m);
    assert.match(said, /^HC002 +N740 +23NO00000000000003 .*TO_CONTROL \(\w+_ENTRY\)/m);
    const marker = /Later signals: .*--marker (\S+)/.exec(said)?.[1];
    assert.match(await run(`routing list --marker ${marker}`), /No new signals after this marker/);
    assert.equal((await run(`routing list --marker ${marker} --json`)).trim(), '[]');
  });

  it('refuses a marker that was never received', async () => {
    const line = 'routing list --marker c0ffee00-0000-4000-8000-000000000002';
    assert.match(await run(line, { code: 1 }), /\(UNKNOWN_MARKER\)/);
  });

  it('waits for a signal', async () => {
    const waiting = run(
      `routing list --as forwarder --wait 20 --marker ${await lastMarker('forwarder')}`,
      { by: runLandfall },
    );
    await run('present house-consignment --as forwarder --document HC002 --type N703');
    assert.match(await waiting, /HC002 +N703/);
  });

  it('follows new signals', async () => {
    const marker = await lastMarker('forwarder');
    const words = `routing follow --as forwarder --limit 2 --json --marker ${marker}`.split(' ');
    const following = startLandfall([...words, '--data', data]);
    await following.printed(/following/);
    await run('present receptacle --as forwarder --receptacle GBASFZMLBKONAUN30001001019999');
    const { code, stdout } = await following.ended;
    assert.equal(code, 0);
    const documents = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).transportDocumentHouseLevel.documentNumber);
    assert.deepEqual(documents.sort(), ['NO100000001MU', 'NO100000002MU']);
  });

  it('stops following at Ctrl-C, with exit code 130', async () => {
    const following = startLandfall(['routing', 'follow', '--data', data]);
    await following.printed(/HC001/);
    following.process.kill('SIGINT');
    const { code, stderr } = await following.ended;
    assert.equal(code, 130);
    assert.match(stderr, /later signals: .*--marker/);
  });
});

async function lastMarker(name: string): Promise<string> {
  const signals: { routingResult: { id: string } }[] = JSON.parse(
    await run(`routing list --as ${name} --json`),
  );
  return signals.at(-1)?.routingResult.id ?? '';
}

describe('codelist import', () => {
  it('replaces the customs offices, also from stdin', async () => {
    const input = 'reference_number,name\nNO351001,Gardermoen\nSE003030,Stockholm\n';
    const refused48 = await run('codelist import cl141 -', { code: 1, input });
    assert.match(refused48, /would remove 48 of the 49 customs offices: nothing was changed/);
    assert.match(refused48, /add --expected-removals 48/);
    const preview = await run('codelist import cl141 - --preview', { input });
    assert.match(preview, /: 1 added, 0 changed, 48 removed\n {2}added {4}SE003030 {2}Stockholm\n/);
    assert.match(preview, / {2}removed {2}NO321002 {2}Helligskogen\n/);
    assert.match(preview, / {2}and 38 more removed\nNothing was changed\./);
    const differs = 'codelist import cl141 - --expected-removals 47';
    assert.match(await run(differs, { code: 1, input }), /expectedRemovals: .* \(COUNT_DIFFERS\)/);
    assert.match(
      await run('codelist import cl141 - --expected-removals 48', { input }),
      /2 customs offices; it had 49 \(1 added, 0 changed, 48 removed\)/,
    );
    const line = 'present container --as carrier --container JARU0000010 --office';
    assert.match(await run(`${line} SE003030`), /Presented/);
    const refused = await run(`${line} NO321002`, { code: 1 });
    assert.match(refused, /customsOfficeOfPresentation: .* \(UNKNOWN_CODE\)/);
  });

  it('is allowed only for the authority', async () => {
    const input = 'reference_number,name\nNO351001,Gardermoen\n';
    assert.match(
      await run('codelist import cl141 - --as carrier', { code: 1, input }),
      /needs the scope/,
    );
  });
});

it('a cached token that the service refuses is replaced silently', async () => {
  const refused = 'no.token.atall';
  const files = (await readdir(join(data, 'tokens'))).map((name) => join(data, 'tokens', name));
  for (const file of files) {
    const stored = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...stored, token: refused }));
  }
  assert.match(await run('status list'), /SUCCESS/);
  const input = 'reference_number,name\nNO351001,Gardermoen\n';
  await run('codelist import cl141 -', { input });
  const stored = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  assert.ok(stored.some((text) => !text.includes(refused)));
});

describe('a second playground', () => {
  it('in the same folder reports the process that has it open', async () => {
    const said = await run('playground --port 0', { code: 1, by: runLandfall });
    assert.match(
      said,
      new RegExp(`^error: .* open in process ${playground.process.pid};.*--data$`, 'm'),
    );
  });

  it('at the same port reports that it is in use', async () => {
    const words = ['playground', '--port', new URL(baseUrl).port, '--data', join(folder, 'other')];
    const { code, stderr } = await runLandfall(words);
    assert.equal(code, 1);
    assert.match(stderr, /^error: port \d+ is in use on 127\.0\.0\.1; .*--port.*$/m);
  });
});

it('Ctrl-C stops it with exit code 0, also when npm forwards the signal again', async () => {
  playground.process.kill('SIGINT');
  playground.process.kill('SIGINT');
  const { code, stderr } = await playground.ended;
  assert.equal(code, 0);
  assert.match(stderr, /stopped\n$/);
  assert.match(await run('status list', { code: 3 }), /cannot reach .* start it: .*playground/);
});

it('a restart on the same folder keeps what was presented', async () => {
  await start();
  assert.match(await run('status list'), /SUCCESS +RECEPTACLE/);
  assert.match(await run('routing list'), /^HC001 +N740 .*TO_ENTRY/m);
  playground.process.kill('SIGTERM');
  assert.equal((await playground.ended).code, 0);
});

it('a folder that is not writable is reported in one line', async () => {
  for (const closed of [await makeClosedFolder(), ...systemFolders()]) {
    const { code, stderr } = await runLandfall(['playground', '--port', '0', '--data', closed]);
    assert.equal(code, 1);
    assert.match(stderr, /^error: cannot write to the data folder .*--data$/m);
  }
});

/** Root can write to any folder, but not below a file. */
async function makeClosedFolder(): Promise<string> {
  const closed = join(folder, 'closed');
  if (process.getuid?.() === 0) {
    await writeFile(closed, '');
    return join(closed, 'data');
  }
  await mkdir(closed);
  await chmod(closed, 0o555);
  return closed;
}

/** System folders in which not even root can create files. */
function systemFolders(): string[] {
  return process.platform === 'linux' ? ['/proc/landfall', '/sys/landfall'] : [];
}
