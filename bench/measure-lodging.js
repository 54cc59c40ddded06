// House consignments that are lodged: Landfall, and the least that can be written by hand for the same rows.
import { AUDIT_LOCK } from '../packages/service/dist/database/locks.js';
import { exchangeTokens, ORGANISATIONS, runMaintenance } from './goods.js';
import {
  ARRIVALS,
  arrivalOf,
  grantMovementScopes,
  houseMessage,
  lodge,
  MOVEMENT_SCOPES,
  transportMessage,
} from './lodged-goods.js';
import { send } from './send.js';

const BARE = 'lodging: bare, same rows';
const ALONE = 'lodging: PostgreSQL';
const ARRIVED = 'lodging: PostgreSQL, 1,000 transports have arrived';

const PATH = '/api/movement/road/v2/house-consignment';
const CARRIER = 'NO810000011';

/** House consignments of a master consignment. */
const HOUSES_OF_MASTER = 100;

/** How many transports are lodged and arrive at once. */
const AT_ONCE = 20;

/** Who lodges, one after the other. */
const lodgers = Array.from({ length: ORGANISATIONS }, (_, number) => number);

/** Bare servers do not verify it, but read the same number of bytes. It ends with the number of the organisation. */
const bareTokens = lodgers.map((number) => 'x'.repeat(501) + number);

/** Each row lodges house consignments of its own. */
let next = 0;
const takeNumbers = () => 10_000_000 * next++;

/** Measures the selected rows once. `bench` is the context of run.js. */
export async function measureLodging(bench, round) {
  const { wanted, measure, measureBare, startLandfall, url, database, provider, small } = bench;
  if (![BARE, ALONE, ARRIVED].some(wanted)) return;
  await grantMovementScopes(database);
  const load = () => ({
    kind: 'lodge',
    path: PATH,
    body: JSON.stringify(houseMessage('L-HOUSE', 'L-MASTER', CARRIER)),
    from: takeNumbers(),
    housesPerEns: HOUSES_OF_MASTER,
  });
  await measureBare(BARE, BARE, 'targets/bare-lodging', [url], { ...load(), tokens: bareTokens });
  if (![ALONE, ARRIVED].some(wanted)) return;
  const landfall = await startLandfall(url, 1, [0]);
  const [port] = landfall.ports;
  const exchange = (scope) => exchangeTokens(provider, port, `customs:${scope}`, lodgers);
  const [road, arrival] = MOVEMENT_SCOPES;
  const tokens = await exchange(road);
  const ours = () => ({ ...load(), tokens, ports: landfall.ports });
  if (wanted(ALONE)) await measure(ALONE, BARE, landfall.pids, ours());
  if (wanted(ARRIVED)) {
    const arriving = { port, tokens, arrivalTokens: await exchange(arrival) };
    await letArrive(arriving, small ? AT_ONCE : 1000, round);
    await runMaintenance(database);
    await measure(ARRIVED, ALONE, landfall.pids, ours());
    await forgetArrivals(database);
  }
  await landfall.stop();
  await requireLodged(database);
}

/** Transports arrive that reach nothing. */
async function letArrive({ port, tokens, arrivalTokens }, transports, round) {
  const arrive = async (number) => {
    const key = `${round}-${number}`;
    const by = number % tokens.length;
    const message = transportMessage(`RL-${key}`, [`ML-${key}`], CARRIER);
    const mrn = await lodge(port, tokens[by], 'transport', message);
    const response = await send(port, ARRIVALS, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${arrivalTokens[by]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(arrivalOf(mrn)),
    });
    await response.arrayBuffer();
  };
  for (let first = 0; first < transports; first += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, step) => arrive(first + step)));
  }
}

/** The next round begins without transports that have arrived within 24 hours. */
async function forgetArrivals(database) {
  await database.transact((transaction) =>
    transaction.run(`
      update movement set arrival_recorded_at = arrival_recorded_at - interval '25 hours'
        where arrival_recorded_at is not null;
      select append_audit_record(${AUDIT_LOCK}, '{"action":"bench.arrivals","details":{}}')`),
  );
}

/** A request that was refused by its status would have been cheaper. */
async function requireLodged(database) {
  const [{ failed }] = await database.query({
    name: '',
    text: 'select count(*)::integer as failed from movement_status where failed',
    values: [],
  });
  if (failed > 0) throw new Error(`${failed} house consignments were not lodged`);
}
