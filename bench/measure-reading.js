// Reading pages of routing signals and single statuses, compared with a bare server that sends the same bytes.
import { randomUUID } from 'node:crypto';
import { HOUSES_PER_ENS } from './goods.js';
import { keepPages } from './keep-pages.js';
import { send } from './send.js';

/** Declarations that the reading organisation presents: their signals are many pages, also without those of other rows. */
export const readDeclarations = (small) => (small ? 3000 : 21_000) / HOUSES_PER_ENS;

const ROWS = [
  'routing page of 1',
  'routing page of 1,000',
  'routing page of 1,000, read before',
  'status',
];

const presentation = '/api/movement/presentation/v1';
const routing = '/api/movement/routing/v1/house-consignment';

/** Measures the selected rows on one server and PostgreSQL. */
export async function measureReading(bench) {
  const { wanted, measure, measureBare, startLandfall, url, folder, database } = bench;
  if (!ROWS.some(wanted)) return;
  const landfall = await startLandfall(url, 1);
  const { tokens, ports } = landfall;
  const sendAsReader = (path, init = {}) =>
    send(ports[0], path, {
      ...init,
      headers: { authorization: `Bearer ${tokens[0]}`, ...init.headers },
    });
  const count = readDeclarations(bench.small);
  await presentDeclarations(sendAsReader, bench.takeDeclarations(count), count);
  const statuses = (
    await (await sendAsReader(`${presentation}/validation-status?limit=1000`)).json()
  ).map(({ requestId }) => `${presentation}/validation-status/${requestId}`);
  const markers = await readMarkers(sendAsReader);
  const after = (every, limit) =>
    markers
      .filter((_, index) => index % every === 0 && index + 1000 < markers.length)
      .map((marker) => `${routing}?limit=${limit}&marker=${marker}`);
  // Either many pages, which are read from the database, or few, which are all cached.
  const addresses = [after(1, 1), after(1, 1000), after(1000, 1000), statuses];
  for (const [index, name] of ROWS.entries()) {
    const paths = addresses[index];
    if (!wanted(name)) continue;
    const load = { kind: 'read', tokens: [tokens[0]], paths };
    const pages = await keepPages(folder, sendAsReader, paths);
    await measureBare(
      `${name}: node:http`,
      `${name}: node:http`,
      'targets/bytes-http',
      [pages],
      load,
    );
    let baseline = `${name}: node:http`;
    if (name === 'routing page of 1,000') {
      baseline = `${name}: bare query`;
      await measureBare(
        baseline,
        baseline,
        'targets/bare-page',
        [url, await findReader(database)],
        load,
      );
    }
    await measure(`${name}: PostgreSQL`, baseline, landfall.pids, { ...load, ports });
  }
  await landfall.stop();
}

/** The number of the organisation that has the most signals: the one that reads. */
async function findReader(database) {
  const [row] = await database.query({
    name: '',
    text: 'select owner from routing_signal group by owner order by count(*) desc limit 1',
    values: [],
  });
  return String(row.owner);
}

/** Presents declarations to create signals. */
async function presentDeclarations(sendAsReader, first, count) {
  for (let number = first; number < first + count; number++) {
    const response = await sendAsReader(`${presentation}/entry-summary-declaration`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        requestId: randomUUID(),
        customsOfficeOfPresentation: 'NO351001',
        mrn: `26NO${String(number).padStart(14, '0')}`,
      }),
    });
    await response.arrayBuffer();
  }
}

/** The markers of all signals, in their order. */
async function readMarkers(sendAsReader) {
  const markers = [];
  for (;;) {
    const from = markers.length === 0 ? '' : `&marker=${markers.at(-1)}`;
    const signals = await (await sendAsReader(`${routing}?limit=1000${from}`)).json();
    markers.push(...signals.map(({ routingResult }) => routingResult.id));
    if (signals.length < 1000) return markers;
  }
}
