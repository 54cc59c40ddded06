// One of many tests that run at once: a space of its own, in which it sees what it did itself and nothing else.
import assert from 'node:assert/strict';
import { Landfall } from '@landfall/client';
import { connectPlayground } from '@landfall/playground';

const { PLAYGROUND_URL: url, PLAYGROUND_SECRET: controlSecret, TESTS } = process.env;

/** How many tests there are. */
export const count = Number(TESTS);

/** The longest that a test may take, in milliseconds: on a busy machine it waits for its space. */
export const TIMEOUT_MS = 900_000;

/** Every test presents the same parcel: elsewhere it would be presented by another test. */
const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
};

/** @param index of the test, from which its clock and its scenario follow */
export async function runOne(index) {
  const playground = await connectPlayground({ url, controlSecret });
  const space = await playground.space();
  const year = 2030 + (index % 60);
  await space.setClock({ time: `${year}-01-01T00:00:00Z`, running: false });
  if (index % 2 === 0) await space.addScenario({ kind: 'lost-response', times: 1 });
  const carrier = new Landfall(space.credentials('carrier'));
  await carrier.presentHouseConsignment(parcel);
  const { entries } = await carrier.readRoutingSignals();
  assert.equal(entries.length, 1);
  assert.equal(new Date((await space.clock()).time).getUTCFullYear(), year);
  const presented = { operation: 'presentHouseConsignment', identity: 'carrier' };
  await space.verify({ ...presented, times: 1 });
  assert.equal((await space.scenarios()).length, (index + 1) % 2);
  await space.close();
}
