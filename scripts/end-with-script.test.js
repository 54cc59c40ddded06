// Whatever ends a script: its processes, its databases and its temporary files end with it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { whyNoPostgresql } from '../packages/service/dist/testing/postgresql.js';

const skip =
  (await whyNoPostgresql()) ||
  (!existsSync('/proc') && 'processes are found in /proc, as on Linux');

/** A script with a process that never ends by itself, a database and a file; then it ends in the given way. */
const source = (name, ending) => `
  import '${new URL('./end-with-script.js', import.meta.url)}';
  import { spawn } from 'node:child_process';
  import { mkdtempSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { makeDatabase } from '${new URL('../bench/own-database.js', import.meta.url)}';
  await makeDatabase('postgresql://postgres@127.0.0.1:5432/postgres', '${name}');
  // One that ignores signals, and has a process of its own.
  const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
  const text = \`require("child_process").spawn(process.execPath, ["-e", \${JSON.stringify(stubborn)}]); \${stubborn}\`;
  spawn(process.execPath, ['-e', text], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  console.log(mkdtempSync(tmpdir() + '/kept-'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  ${ending}
`;

const endings = {
  'its end': 'process.exit()',
  'an error': "throw new Error('an error')",
  'a rejection that nobody handles': "Promise.reject(new Error('an error'))",
  SIGTERM: "process.kill(process.pid, 'SIGTERM')",
  SIGINT: "process.kill(process.pid, 'SIGINT')",
  SIGKILL: "process.kill(process.pid, 'SIGKILL')",
};

for (const [ending, statement] of Object.entries(endings)) {
  test(`after ${ending} nothing is left`, { skip }, async () => {
    const name = `landfall_script_${randomUUID().replaceAll('-', '')}`;
    const mark = randomUUID();
    const script = spawn(
      process.execPath,
      ['--input-type=module', '-e', `${source(name, statement)}; setInterval(() => {}, 1000);`],
      {
        env: { ...process.env, LANDFALL_SCRIPT: mark },
        stdio: ['ignore', 'pipe', 'ignore'],
        cwd: fileURLToPath(new URL('..', import.meta.url)),
      },
    );
    let printed = '';
    script.stdout.on('data', (text) => {
      printed += text;
    });
    // The output closes when no process holds it any more.
    await once(script, 'close');
    const file = printed.trim();
    assert.notEqual(file, '');
    await until(() => marked(mark).length === 0, 'no process is left');
    assert.equal(existsSync(file), false);
    assert.equal(await databaseExists(name), false);
  });
}

function marked(mark) {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}

async function databaseExists(name) {
  const client = new pg.Client('postgresql://postgres@127.0.0.1:5432/postgres');
  await client.connect();
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
  await client.end();
  return rows.length > 0;
}

/** Waits, without a limit of its own: that of the file ends it. */
async function until(holds, what) {
  for (let waited = 0; !holds(); waited++) {
    if (waited === 1200) assert.fail(what);
    await delay(50);
  }
}
