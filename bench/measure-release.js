// Checks of whether goods may be released, while many others wait for goods that nobody has decided.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { addDeclarations, addHouseConsignments, HOUSES_PER_ENS, ORGANISATIONS } from './goods.js';
import { send } from './send.js';

const ALONE = 'release: 2,000 a second, nobody waits';
const BESIDE = 'release: 2,000 a second, 10,000 wait';

const RELEASE = '/api/movement/routing/v1/release';

/** Number of the first declaration; smaller numbers belong to other loads. */
const FIRST_DECLARATION = 450_000;

/** How long a check waits, in seconds: longer than a measurement. */
const WAIT_S = 60;

/** How many connections are opened at once. */
const AT_ONCE = 200;

/** Measures the selected rows once. `bench` is the context of run.js. */
export async function measureRelease(bench, round) {
  const { wanted, database, startLandfall, url, measure, small } = bench;
  if (!wanted(ALONE) && !wanted(BESIDE)) return;
  const first = FIRST_DECLARATION + round * ORGANISATIONS;
  await addDeclarations(database, first, first + ORGANISATIONS);
  await addHouseConsignments(
    database,
    first * HOUSES_PER_ENS,
    (first + ORGANISATIONS) * HOUSES_PER_ENS,
  );
  const landfall = await startLandfall(url, 1);
  const goods = landfall.tokens.map((token, number) => {
    const house = (first + number) * HOUSES_PER_ENS;
    return { token, decided: documentOf(house), undecided: documentOf(house + 1) };
  });
  const documents = goods.map(({ undecided }) => `'${undecided}'`).join();
  await database.transact((transaction) =>
    transaction.run(
      `update house_consignment set routing = null where document_number in (${documents})`,
    ),
  );
  for (const { token, decided, undecided } of goods) {
    await present(landfall.ports[0], token, decided);
    await present(landfall.ports[0], token, undecided);
  }
  const load = {
    kind: 'read',
    ports: landfall.ports,
    tokens: landfall.tokens,
    paths: goods.map(({ decided }) => `${RELEASE}?identifier=${decided}`),
    perSecond: small ? 200 : 2000,
  };
  await measure(ALONE, ALONE, landfall.pids, load);
  const waiting = await waitForMany(landfall.ports[0], goods, small ? 100 : 10_000);
  await measure(BESIDE, ALONE, landfall.pids, load);
  process.stderr.write(`${BESIDE}: ${waiting.responses()} of those that wait had a response\n`);
  waiting.end();
  await landfall.stop();
}

const documentOf = (house) => `HAWB${String(house).padStart(8, '0')}`;

async function present(port, token, documentNumber) {
  const response = await send(port, '/api/movement/presentation/v1/house-consignment', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      requestId: randomUUID(),
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentHouseLevel: { documentNumber, type: 'N740' },
    }),
  });
  await response.arrayBuffer();
}

/** Connections that each wait for undecided goods, and wait again after a response. */
async function waitForMany(port, goods, count) {
  const sockets = [];
  let responses = 0;
  const wait = ({ token, undecided }) =>
    new Promise((resolve, reject) => {
      const text = `GET ${RELEASE}?identifier=${undecided} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nPrefer: wait=${WAIT_S}\r\n\r\n`;
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('connect', () => socket.write(text, () => resolve(undefined)));
      // A response is one chunk.
      socket.on('data', (bytes) => {
        responses++;
        const status = bytes.latin1Slice(9, 12);
        if (status === '200') socket.write(text);
        else socket.destroy(new Error(`who waits for a release got ${status}`));
      });
      socket.on('error', reject);
      sockets.push(socket);
    });
  for (let number = 0; number < count; number += AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - number) }, (_, index) =>
        wait(goods[(number + index) % goods.length]),
      ),
    );
  }
  return {
    responses: () => responses,
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
