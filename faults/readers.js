// Readers that follow their signals with markers, from any server that responds.
import { pause } from './present-while.js';
import { call } from './writers.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';

/** Reads one organisation's signals with markers, from either server, until it is stopped and all are read, or aborted. */
export function startReader(reader, ports, token) {
  const read = [];
  let stopping = false;
  let aborted = false;
  const running = (async () => {
    for (let attempt = reader; !aborted; attempt++) {
      const marker = read.length === 0 ? '' : `&marker=${read.at(-1)}`;
      const limit = 1 + Math.floor(Math.random() * 200);
      const finishing = stopping;
      const response = await call(
        ports[attempt % ports.length],
        'GET',
        `${ROUTING}?limit=${limit}${marker}`,
        token,
      );
      if (response?.status !== 200) {
        await pause(20);
        continue;
      }
      const signals = JSON.parse(response.text);
      read.push(...signals.map(({ routingResult }) => routingResult.id));
      if (signals.length === 0) {
        if (finishing) return;
        await pause(5);
      }
    }
  })();
  return {
    reader,
    read,
    stop: () => {
      stopping = true;
      return running;
    },
    /** Ends it wherever it is: without a server it would never have read all. */
    abort: () => {
      aborted = true;
    },
  };
}

/** Checks that each reader has the signals of the database in the same order; describes every difference. */
export async function checkReaders(database, readers) {
  const broken = [];
  for (const { reader, read } of readers) {
    const rows = await database.query({
      name: '',
      text: `select s.id from routing_signal s join organisation o on o.id = s.owner
        where o.identifier = $1 order by s.position`,
      values: [`0192:${810_000_000 + reader}`],
    });
    const expected = rows.map(({ id }) => id);
    if (JSON.stringify(expected) !== JSON.stringify(read)) {
      broken.push(
        `reader ${reader} has ${read.length} signals, or a different order; the database has ${expected.length}`,
      );
    }
  }
  return broken;
}
