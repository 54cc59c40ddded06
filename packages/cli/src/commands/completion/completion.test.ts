// Completion in real shells, and the candidates at each position of a command line.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { runCommand } from '../../testing/run-command.js';
import { landfallScript, testEnvironment } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
const environment = {
  ...testEnvironment,
  // The shells find the command by its name.
  PATH: [folder, process.env.PATH].join(delimiter),
  XDG_CONFIG_HOME: join(folder, 'configuration'),
  LANDFALL_DATA: join(folder, 'data'),
  TERM: 'vt100',
};
before(async () => {
  await writeFile(
    join(folder, 'landfall'),
    `#!/bin/sh\nexec '${process.execPath}' '${landfallScript}' "$@"\n`,
    { mode: 0o755 },
  );
  await mkdir(join(folder, 'landfall-files'));
  await writeFile(join(folder, 'landfall-files', 'goods.ndjson'), '');
  await mkdir(join(folder, 'data', 'credentials'), { recursive: true });
  for (const name of ['first', 'second']) {
    await writeFile(join(folder, 'data', 'credentials', `${name}.json`), '{}');
  }
});

describe('candidates', () => {
  const candidates = async (...words: string[]) => {
    const line = ['completion', 'bash', '--words', '--', ...words];
    const { code, stdout, stderr } = await runCommand(line, { environment });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout.split('\n').slice(0, -1);
  };

  it('are nouns, verbs, and options that are not used yet', async () => {
    assert.deepEqual(await candidates('rout'), ['routing', 'routing-profile', 'routing-run']);
    assert.deepEqual(await candidates('admin', 'keys', ''), [
      'list',
      'rotate',
      'change-passphrase',
    ]);
    assert.ok((await candidates('routing', 'list', '--')).includes('--limit'));
    const others = await candidates('routing', 'list', '--limit', '5', '--as=x', '--');
    assert.ok(!others.includes('--limit') && !others.includes('--as'));
    assert.ok(others.includes('--json') && others.includes('--help'));
  });

  it('are the values of options and arguments', async () => {
    assert.deepEqual(await candidates('status', 'list', '--status', 'S'), ['SUCCESS']);
    assert.deepEqual(await candidates('present', 'c'), ['container']);
    const scopes = await candidates('organisation', 'grant', '0192:1', 'movement/a', 'movement/a');
    assert.deepEqual(scopes, ['movement/air']);
  });

  it('are the identities of the data folder', async () => {
    assert.deepEqual(await candidates('status', 'list', '--as', ''), ['first', 'second']);
    assert.deepEqual(await candidates('status', 'list', '--as=f'), ['--as=first']);
    assert.deepEqual(await candidates('status', 'list', '--as', '=', 'f'), ['first']);
    const elsewhere = await candidates('status', 'list', '--data', '/nowhere', '--as', 'a');
    assert.deepEqual(elsewhere, ['authority']);
  });

  it('are the profiles of this user', async () => {
    await runCommand(['profile', 'add', 'trial', '--as', 'x'], { environment });
    assert.deepEqual(await candidates('profile', 'use', ''), ['trial']);
    assert.deepEqual(await candidates('routing', 'list', '--profile', 't'), ['trial']);
    assert.deepEqual(await candidates('profile', 'add', ''), []);
  });

  it('are none for a file, and none after a wrong word', async () => {
    assert.deepEqual(await candidates('feed', 'validate', ''), []);
    assert.deepEqual(await candidates('status', 'list', '--credentials', ''), []);
    assert.deepEqual(await candidates('nonsense', ''), []);
  });
});

it('the script is for a known shell', async () => {
  const { code, stderr } = await runCommand(['completion', 'tcsh']);
  assert.equal(code, 2);
  assert.match(stderr, /bash, zsh, fish/);
});

/** Why tests with a shell are skipped. In CI they are not. */
const without = (shell: string) =>
  process.env.CI === 'true' || spawnSync(shell, ['-c', 'true']).status === 0
    ? false
    : `there is no ${shell}: on Debian, apt-get install ${shell}`;

const run = promisify(execFile);

it('bash completes with the script', { skip: without('bash') }, async () => {
  const complete = async (...words: string[]) => {
    const script = `eval "$(landfall completion bash)"
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      $(complete -p landfall | grep -o -- '-F [^ ]*' | cut -c4-)
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['--norc', '-c', script, 'bash', 'landfall', ...words];
    const { stdout } = await run('bash', args, { env: environment, cwd: folder });
    return stdout.trim().split('\n');
  };
  assert.deepEqual(await complete('organisation', 'un'), ['unblock']);
  assert.deepEqual(await complete('status', 'list', '--as', '='), ['first', 'second']);
  assert.deepEqual(await complete('feed', 'validate', 'x'), ['']);
});

it('fish completes with the script', { skip: without('fish') }, async () => {
  const complete = async (line: string) => {
    const script = `landfall completion fish | source; complete -C '${line}'`;
    const { stdout } = await run('fish', ['--no-config', '-c', script], {
      env: { ...environment, HOME: folder },
      cwd: folder,
    });
    return stdout.trim().split('\n');
  };
  assert.deepEqual(await complete('landfall organisation un'), [
    'unblock\tunblock an organisation or one of its clients',
  ]);
  assert.deepEqual(await complete('landfall status list --as '), ['first', 'second']);
  assert.deepEqual(await complete('landfall feed validate landfall-files/'), [
    'landfall-files/goods.ndjson',
  ]);
});

it('zsh completes with the script', { skip: without('zsh') }, async () => {
  // An interactive shell on a pseudo-terminal of zsh, into which the lines are typed: after its editor has started,
  // because until then the terminal itself echoes what is typed.
  const complete = async (line: string) => {
    const script = `zmodload zsh/zpty
      zpty shell 'zsh -f -i'
      zpty -w shell 'PS1=; autoload -U compinit; compinit -u -D; eval "$(landfall completion zsh)"'
      zpty -w shell 'zle-line-init() { print -n rea""dy }; zle -N zle-line-init'
      zpty -r shell output '*ready*'
      zpty -w -n shell '${line}'$'\\t'
      zpty -w -n shell ' end'$'\\n'
      zpty -r shell output '* end*'
      print -r -- "$output"
      zpty -d shell`;
    const shell = spawn('zsh', ['-f', '-c', script], { env: environment, cwd: folder });
    let output = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await once(shell, 'close');
    return output;
  };
  assert.match(await complete('echo landfall; landfall organisation un'), /organisation unblock/);
  assert.match(await complete('landfall status list --as f'), /--as first/);
});
