// Readers that follow their signals with markers, from whichever server answers.
import { pause } from './present-while.js';
import { call } from './writers.js';

const ROUTING = '/api/movement/routing/v1/house-consignment';

/** Reads one organisation's signals by markers, from either server, until stopped and nothing is left. */
export function startReader(reader, ports, token) {
  const read = [];
  let stopping = false;
  const running = (async () => {
    for (let attempt = reader; ; attempt++) {
      const marker = read.length === 0 ? '' : `&marker=${read.at(-1)}`;
      const limit = 1 + Math.floor(Math.random() * 200);
      const finishing = stopping;
      const answer = await call(
        ports[attempt % ports.length],
        'GET',
        `${ROUTING}?limit=${limit}${marker}`,
        token,
      );
      if (answer?.status !== 200) {
        await pause(20);
        continue;
      }
      const signals = JSON.parse(answer.text);
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
  };
}

/** Whether each reader has what the database has, in the same order; every broken promise in words. */
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
        `reader ${reader} has ${read.length} signals, or another order; the database has ${expected.length}`,
      );
    }
  }
  return broken;
}
