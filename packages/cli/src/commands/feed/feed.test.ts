// `landfall feed validate` and `generate`: work offline, line by line.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';

const folder = await makeTemporaryFolder();
let lines: string[];

before(async () => {
  const { code, stdout, stderr } = await runLandfall('feed generate --declarations 50'.split(' '));
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^generated \d+ messages of 50 declarations\n$/);
  lines = stdout.trimEnd().split('\n');
});

function validate(input: string, ...options: string[]) {
  return runCommand(['feed', 'validate', '-', ...options], { input });
}

describe('feed generate', () => {
  it('generates the same messages for the same seed, and others for another', async () => {
    const made = async (seed: number) =>
      (await runCommand(`feed generate --declarations 50 --seed ${seed}`.split(' '))).stdout;
    assert.equal(await made(1), `${lines.join('\n')}\n`);
    assert.notEqual(await made(2), await made(1));
  });

  it('exits silently when the reader closes the pipe', async () => {
    const making = startLandfall('feed generate --declarations 999999999'.split(' '));
    await making.printed(/\n/);
    making.process.stdout?.destroy();
    const { code, stderr } = await making.ended;
    assert.equal(code, 0);
    assert.equal(stderr, '');
  });
});

describe('feed validate', () => {
  it('accepts generated messages: lines, an array, messages that span several lines', async () => {
    const messages = lines.map((line) => JSON.parse(line));
    for (const input of [
      lines.join('\n'),
      JSON.stringify(messages),
      JSON.stringify(messages, null, 2),
      messages.map((message) => JSON.stringify(message, null, 2)).join('\n'),
    ]) {
      const { code, stdout, stderr } = await validate(input);
      assert.deepEqual(
        { code, stdout, stderr },
        { code: 0, stdout: `${lines.length} messages, all valid\n`, stderr: '' },
      );
    }
  });

  it('reports duplicate members, in lines and in an array', async () => {
    const [first = ''] = lines;
    const { eventId } = JSON.parse(first).metadata;
    const twice = first.replace('"GrossMass"', '"Gross\\u004dass":1,"GrossMass"');
    assert.notEqual(twice, first);
    for (const input of [twice, `[${twice}]`]) {
      const { code, stdout } = await validate(input);
      assert.equal(code, 1);
      assert.equal(
        stdout.split('\n', 1)[0],
        `line 1 ${eventId}: data.GoodsItem.GrossMass: must not be there more than once (FORMAT)`,
      );
    }
  });

  it('reports each broken rule with line, eventId, member and code, and exits with 1', async () => {
    const [first = '', second = ''] = lines;
    const { eventId } = JSON.parse(second).metadata;
    const broken = second.replace('"version":"0.10"', '"version":"1"').replace('"data"', '"date"');
    const { code, stdout } = await validate([first, '', broken, '{', '[]'].join('\n'));
    assert.equal(code, 1);
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      `line 3 ${eventId}: date: is not a member of the message (UNKNOWN_MEMBER)`,
      `line 3 ${eventId}: metadata.version: must be 0.10 (UNKNOWN_CODE)`,
      `line 3 ${eventId}: data: must not be null (REQUIRED)`,
      'line 4: message: must be valid JSON: each line is a whole value, and this one only begins one (FORMAT)',
      'line 5: message: must be an object (FORMAT)',
      '4 messages, 3 invalid: 5 rules are broken',
    ]);
  });

  it('reports the same as JSON', async () => {
    const { code, stdout } = await validate('{}', '--json');
    assert.equal(code, 1);
    const reported = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const missing = { error: 'must not be null', code: 'REQUIRED' };
    assert.deepEqual(reported, [
      { line: 1, field: 'metadata', ...missing },
      { line: 1, field: 'data', ...missing },
      { summary: { messages: 1, invalid: 1, errors: 2 } },
    ]);
  });

  it('reads a file, and reports one that cannot be read', async () => {
    const file = join(folder, 'messages.ndjson');
    await writeFile(file, lines.join('\n'));
    assert.equal((await runLandfall(['feed', 'validate', file])).code, 0);
    const { code, stderr } = await runCommand(['feed', 'validate', join(folder, 'none')]);
    assert.equal(code, 1);
    assert.match(stderr, /^error: cannot read .*none \(ENOENT\)\n$/);
  });

  it('reads input of any size with bounded memory', async () => {
    const made = startLandfall('feed generate --declarations 12000'.split(' '));
    const checking = startLandfall(['feed', 'validate', '-'], {
      NODE_OPTIONS: '--max-old-space-size=48',
    });
    assert.ok(made.process.stdout && checking.process.stdin);
    made.process.stdout.pipe(checking.process.stdin);
    const { code, stdout, stderr } = await checking.ended;
    assert.equal(code, 0, stderr.slice(0, 1000));
    assert.match(stdout, /^\d\d,\d{3} messages, all valid\n$/);
  });
});
