// Every option of a playground in the process is checked before anything is started.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { options as serviceOptions } from '../../service/dist/config.js';
import { checkOptions } from './check-options.js';
import { PlaygroundClock } from './clock.js';
import { type PlaygroundOptions, startPlayground } from './index.js';

/** Options as a program without types gives them. */
const check = (options: Record<string, unknown>) => () =>
  checkOptions(options as PlaygroundOptions);

const refused = (message: RegExp) => ({ code: 'PLAYGROUND_OPTION', message });

test('each option of the service has its type and its rule', () => {
  for (const [name, option] of Object.entries(serviceOptions)) {
    if (name === 'dataFolder') continue;
    const pattern = new RegExp(`^${name} `);
    for (const value of [null, {}, [], true, typeof option.default === 'string' ? 5 : '5']) {
      assert.throws(check({ [name]: value }), refused(pattern), `${name}: ${value}`);
    }
    if (typeof option.default === 'number') {
      for (const value of [-1, 99.5, Number.NaN, 1e18]) {
        assert.throws(check({ [name]: value }), refused(pattern), `${name}: ${value}`);
      }
    }
    if ('values' in option) {
      assert.throws(check({ [name]: 'nobody' }), refused(new RegExp(`^${name} must be one of`)));
    }
    check({ [name]: option.default })();
  }
});

const handler = {
  name: 'handler',
  kind: 'domestic',
  organisation: '0192:310000094',
  organisationName: 'Handler',
  scopes: ['movement/entry'],
  granted: ['movement/entry'],
};

test('options of the playground itself are checked, and unknown ones refused', () => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ tokenLifetimes: 60 }, /^tokenLifetimes is no option of a playground$/],
    [{ dataFolder: '/tmp' }, /^dataFolder is no option/],
    [{ tokenLifetime: 0 }, /^tokenLifetime must be a whole number/],
    [{ clock: '2026-01-01' }, /^clock must be of the type object$/],
    [{ onProgress: 'print' }, /^onProgress must be of the type function$/],
    [{ dataset: 5 }, /^dataset must be of the type string or list$/],
    [{ identities: handler }, /^identities must be of the type list$/],
    [{ identities: [{ name: 'x' }] }, /^identities\[0\]\.organisation .*identities\[0\]\.kind /],
    [{ identities: [null] }, /^identities\[0\]/],
    [{ identities: [{ ...handler, colour: 'red' }] }, /^identities\[0\]\.colour /],
    [
      { identities: [{ ...handler, name: 'carrier' }] },
      /\.name carrier belongs to another identity/,
    ],
    [{ identities: [handler, handler] }, /^identities\[1\]\.name handler belongs to another/],
    [{ identities: [{ ...handler, kind: 'foreign' }] }, /^identities\[0\]\.kind must be domestic/],
    [{ identities: [{ ...handler, scopes: ['x'] }] }, /^identities\[0\]\.scopes/],
  ];
  for (const [options, message] of cases) assert.throws(check(options), refused(message));
  check({ identities: [handler], tokenLifetime: 1, clock: {}, dataset: [] })();
});

test('an object of a class, of which nothing would be read, is refused in each option', () => {
  const values = [
    new Date(),
    new Map([['time', '2026-01-01T00:00:00Z']]),
    /x/,
    new URL('http://a'),
  ];
  const clock = new PlaygroundClock();
  for (const value of [...values, null]) {
    for (const name of ['clock', 'hosted', 'data', 'dataset', 'publicUrl', 'controlSecret']) {
      const options = {
        [name]: value,
        ...(name === 'hosted' && { controlSecret: 'x'.repeat(16) }),
      };
      assert.throws(check(options), refused(new RegExp(`^${name} must be of the type `)));
    }
    const before = clock.save();
    // The cast is what a program without types does.
    assert.throws(() => clock.set(value as never), refused(/^clock must be an object such as/));
    assert.equal(clock.save(), before);
  }
  assert.throws(check({ data: '' }), refused(/^data must be the path of a folder$/));
});

test('an option that is refused leaves nothing running', async () => {
  const options = { rateLimit: -1 } as PlaygroundOptions;
  await assert.rejects(startPlayground(options), refused(/^rateLimit must be a whole number/));
});

test('the clock takes times that exist, up to the year 9999', () => {
  const clock = new PlaygroundClock({ time: '2026-05-01T08:00:00Z', running: false });
  const cases: [object, RegExp][] = [
    [{ time: '2026-02-30T00:00:00Z' }, /^clock\.time /],
    [{ time: '2026-01-01' }, /^clock\.time /],
    [{ time: 5 }, /^clock\.time /],
    [{ times: '2026-01-01T00:00:00Z' }, /^clock\.times /],
    [{ advance: -1 }, /^clock\.advance /],
    [{ advance: 1, time: '2026-01-01T00:00:00Z' }, /^clock\.advance must not be given together/],
    [{ running: 'yes' }, /^clock\.running /],
    [{ time: null }, /^clock\.time must be a string$/],
    [{ time: '2026-01-01T00:00:00Z', running: null }, /^clock\.running must be a boolean$/],
    [{ time: '9999-12-31T23:00:00Z' }, /^clock\.time must not lead beyond the year 9999$/],
  ];
  for (const [change, message] of cases) assert.throws(() => clock.set(change), refused(message));
  clock.set({ time: '9999-12-30T23:00:00Z' });
  assert.throws(() => clock.set({ advance: 25 * 3600 }), refused(/^clock\.advance must not lead/));
  assert.deepEqual(clock.state(), { time: '9999-12-30T23:00:00.000Z', running: false });
});

test('a reset returns to the clock of the start, also when that runs', async () => {
  const start = Date.parse('2030-05-01T08:00:00Z');
  await using playground = await startPlayground({
    clock: { time: new Date(start).toISOString() },
  });
  await playground.setClock({ time: '2040-01-01T00:00:00Z', running: false });
  await playground.reset();
  const { time, running } = playground.clock.state();
  assert.equal(running, true);
  const elapsed = Date.parse(time) - start;
  assert(elapsed >= 0 && elapsed < 3_600_000, time);
});
