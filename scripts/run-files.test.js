// Each file of a process is asked for the processes that it has left running, not only the first: one that leaves some fails,
// and the next does not see them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const files = {
  first: '',
  // Ended, and a moment later gone.
  ending: "const child = spawn('sleep', ['600']); setTimeout(() => child.kill(), 200);",
  leaving: "spawn('sleep', ['600']);",
  last: '',
};

test('a file that leaves a process running fails, wherever it stands among the files of its process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-test-'));
  try {
    const paths = Object.entries(files).map(([name, source]) => {
      const path = join(folder, `${name}.mjs`);
      writeFileSync(
        path,
        `import { spawn } from 'node:child_process';
        import { test } from 'node:test';
        test('of ${name}', () => { ${source} });`,
      );
      return path;
    });
    const run = join(folder, 'run.mjs');
    const list = JSON.stringify([paths, join(folder, 'durations'), 60_000, 2_000]);
    writeFileSync(
      run,
      `import { runFiles } from '${new URL('./run-files.js', import.meta.url)}';
      await runFiles(...${list});`,
    );
    // As a process of its own, not as a part of this run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, ['--test-reporter=tap', run], {
      encoding: 'utf8',
      env,
    });
    const results = [...stdout.matchAll(/^((?:not )?ok) \d+ - .*\/(\w+)\.mjs$/gm)];
    assert.deepEqual(
      results.map(([, result, name]) => [name, result]),
      [
        ['first', 'ok'],
        ['ending', 'ok'],
        ['leaving', 'not ok'],
        ['last', 'ok'],
      ],
      stdout,
    );
    assert.match(stdout, /tests have left processes running[\s\S]*sleep 600/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
