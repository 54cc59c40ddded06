// Scenarios from the start: by the option, by the dataset; a reset returns to them, and closing ends them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Landfall } from '../../../client/dist/index.js';
import { startPlayground } from '../index.js';

const mrn = '26NO00000000000018';
const dataset = [
  {
    identity: { name: 'handler', organisation: '0192:310000094', organisationName: 'Handler' },
  },
  {
    scenario: {
      kind: 'refusal',
      code: 'UNKNOWN_MARKER',
      operation: 'readRoutingSignals',
      identity: 'handler',
    },
  },
  {
    mrn,
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000086',
    houseConsignments: [],
  },
];

test('a playground starts with scenarios of its dataset and its options, and a reset returns to them', async () => {
  await using playground = await startPlayground({
    dataset,
    scenarios: [{ kind: 'service-unavailable', identity: 'carrier', times: 1 }],
  });
  const started = () =>
    playground.scenarios.list().map(({ kind, applied }) => `${kind} ${applied}`);
  assert.deepEqual(started(), ['refusal 0', 'service-unavailable 0']);
  const handler = new Landfall(playground.credentials('handler'));
  await assert.rejects(handler.readRoutingSignals(), { status: 400 });
  const carrier = new Landfall({ ...playground.credentials('carrier'), retry: false });
  await assert.rejects(carrier.readRoutingSignals(), { status: 503 });
  await carrier.readRoutingSignals();
  assert.deepEqual(started(), ['refusal 1', 'service-unavailable 1']);
  playground.scenarios.clear();
  playground.scenarios.add({ kind: 'internal-error' });
  await playground.reset();
  assert.deepEqual(started(), ['refusal 0', 'service-unavailable 0']);
  await assert.rejects(carrier.readRoutingSignals(), { status: 503 });
  // Closing does not wait for what is held back.
  playground.scenarios.add({ kind: 'delay', milliseconds: 600_000 });
  void carrier.readRoutingSignals().catch(() => undefined);
  while (playground.scenarios.list()[2]?.applied !== 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

test('an invalid scenario of the options or the dataset is an error with its member', async () => {
  // The casts are of values that the types would refuse.
  await assert.rejects(startPlayground({ scenarios: [{ kind: 'delay' } as never] }), {
    code: 'PLAYGROUND_OPTION',
    message: 'scenarios: 0.milliseconds must not be null',
  });
  await assert.rejects(
    startPlayground({ scenarios: [{ kind: 'internal-error', identity: 'nobody' }] }),
    { code: 'PLAYGROUND_OPTION', message: /^scenarios: 0.identity must be one of \[carrier, / },
  );
  await assert.rejects(
    startPlayground({
      dataset: [
        { scenario: { kind: 'delay' } },
        { scenario: { kind: 'internal-error', identity: 'nobody' } },
        { scenario: { kind: 'internal-error' }, more: 1 },
      ],
    }),
    {
      code: 'INVALID_DATASET',
      message:
        /line 1: scenario\.milliseconds: .*\n.*line 2: scenario\.identity: .*\n.*line 3: more: /,
    },
  );
});
