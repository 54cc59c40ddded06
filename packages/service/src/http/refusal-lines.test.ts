// A flood of refusals writes a bounded number of lines, and none of the refusals is lost from the log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpError } from './problem.js';
import { RefusalLines } from './refusal-lines.js';
import { makeServer } from './server.js';

type Line = { status?: number; leftOut?: number; msg: string };

test('of a flood of refusals some have a line each, and the rest is a number', async () => {
  for (const status of [401, 403, 429] as const) {
    const log: string[] = [];
    const { app } = await makeServer({ logTo: { write: (line) => log.push(line) } });
    app.get('/', async () => {
      throw new HttpError(status, 'no');
    });
    for (let index = 0; index < 500; index++) await app.inject('/');
    await app.inject({ url: '/', remoteAddress: '192.0.2.7' });
    const lines = log.map((line) => JSON.parse(line) as Line);
    assert.equal(lines.length, 61);
    await app.close();
    const last = JSON.parse(log.at(-1) ?? '') as Line;
    assert.equal(log.length, 62);
    assert.equal(last.leftOut, 440);
    assert.equal(last.status, status);
  }
});

test('lines and memory are bounded whatever is refused', () => {
  const logged: object[] = [];
  const lines = new RefusalLines({ warn: (line: object) => logged.push(line) });
  let admitted = 0;
  for (let index = 0; index < 100_000; index++) {
    const key = { status: 401, organisation: undefined, address: `a${index}` };
    if (lines.admit(key)) admitted++;
  }
  assert.equal(admitted, 1000 + 60);
  lines.flush();
  assert.deepEqual(logged, [{ leftOut: 100_000 - admitted }]);
});
