// Playgrounds that relay to NATS: each has streams of its own, which a reset makes anew, and no start waits for a NATS that
// relays nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Landfall } from '../../client/dist/index.js';
import { readConfig } from '../../service/dist/config.js';
import { recordRelayed } from '../../service/dist/relay/queries.js';
import { testDatabases } from '../../service/dist/testing/databases.js';
import { type OwnNats, startNats, whyNoNats } from '../../service/dist/testing/own-nats.js';
import {
  listStreams,
  makeStream,
  type RelayedMessage,
  readStream,
  whenMade,
} from '../../service/dist/testing/relayed-messages.js';
import { until } from '../../service/dist/testing/until.js';
import { selectKept } from './data-queries.js';
import { findPort } from './find-port.js';
import type { Playground } from './playground.js';
import { servePlayground } from './serve-playground.js';
import { startPlayground } from './start-playground.js';
import { MAX_UNDO_ENTRIES } from './undo-queries.js';

/** A presentation is signalled to the presenter and to the declarant. */
const SIGNALS = 2;

const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

describe('playgrounds and NATS', { skip: await whyNoNats() }, () => {
  let nats: OwnNats;
  before(async () => {
    nats = await startNats();
  });
  after(() => nats.remove());

  const start = (options: Parameters<typeof startPlayground>[0] = {}) =>
    startPlayground({ natsUrl: nats.url, relay: 'all', ...options });
  const streamOf = ({ natsPrefix }: Playground) =>
    `${natsPrefix === '' ? '' : `${natsPrefix}_`}ROUTING_SIGNALS`;
  /** Presents a parcel, and gives the messages of the stream that follow. */
  const present = async (playground: Playground): Promise<RelayedMessage[]> => {
    await new Landfall(playground.credentials('carrier')).presentHouseConsignment(parcel);
    let messages: RelayedMessage[] = [];
    await until(async () => {
      messages = await readStream(nats.url, streamOf(playground));
      return messages.length >= SIGNALS;
    });
    return messages;
  };
  test('two have streams of their own, and leave none behind', async () => {
    const playgrounds = [await start(), await start()];
    try {
      for (const playground of playgrounds) {
        const messages = await present(playground);
        assert.equal(messages.length, SIGNALS);
        const { natsPrefix } = playground;
        assert.match(
          String(messages[0]?.subject),
          new RegExp(`^${natsPrefix}\\.customs\\.routing`),
        );
      }
      assert.equal((await listStreams(nats.url)).length, 4);
    } finally {
      for (const playground of playgrounds) await playground.close();
    }
    assert.deepEqual(await listStreams(nats.url), []);
  });

  for (const natsPrefix of ['', 'none', 'team-1']) {
    test(`after each reset the stream has what is new and nothing of before, with the prefix "${natsPrefix}"`, async () => {
      const playground = await start({ natsPrefix });
      try {
        const markers = new Set<string>();
        for (let round = 0; round < 4; round++) {
          const messages = await present(playground);
          assert.equal(messages.length, SIGNALS, `in round ${round}`);
          markers.add(String(messages[0]?.marker));
          await playground.reset();
          assert.deepEqual(await readStream(nats.url, streamOf(playground)), []);
        }
        assert.equal(markers.size, 4);
      } finally {
        await playground.close();
      }
    });
  }

  test('a return to a snapshot that is refused leaves the stream as it is', async () => {
    const [{ open } = assert.fail('no database')] = await testDatabases();
    const database = await open();
    const dataFolder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
    const config = readConfig(
      { NATS_URL: nats.url, LANDFALL_RELAY: 'all', LANDFALL_NATS_PREFIX: 'outdated' },
      { dataFolder, logLevel: 'silent', port: await findPort('localhost', 0) },
    );
    const playground = await servePlayground(config, database, {
      isTemporary: true,
      closed: () => rm(dataFolder, { recursive: true }),
    });
    try {
      await playground.snapshot('old');
      await present(playground);
      const made = await whenMade(nats.url, streamOf(playground));
      const position = `select setval('playground.undo_position', ${MAX_UNDO_ENTRIES})`;
      await database.transact((transaction) => transaction.run(position));
      await present(playground);
      await assert.rejects(playground.reset('old'), { code: 'SNAPSHOT_OUTDATED' });
      assert.equal(await whenMade(nats.url, streamOf(playground)), made);
      // Nor does the next start make it anew.
      assert.deepEqual(await database.query(selectKept('old streams')), []);
      await playground.reset();
      assert.notEqual(await whenMade(nats.url, streamOf(playground)), made);
    } finally {
      await playground.close();
    }
  });

  test('a data folder keeps its prefix and its stream', async () => {
    const data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
    const prefixes: string[] = [];
    try {
      for (let round = 1; round <= 2; round++) {
        const playground = await start({ data });
        try {
          if (round === 1) await present(playground);
          prefixes.push(playground.natsPrefix);
          assert.equal((await readStream(nats.url, streamOf(playground))).length, SIGNALS);
        } finally {
          await playground.close();
        }
      }
      assert.equal(new Set(prefixes).size, 1);
    } finally {
      await rm(data, { recursive: true });
    }
  });

  for (const natsPrefix of ['', 'none', 'team-2']) {
    test(`what a reset replaced while nothing was relayed is not in the stream later, with the prefix "${natsPrefix}"`, async () => {
      const data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
      try {
        const first = await start({ data, natsPrefix });
        const stream = streamOf(first);
        try {
          await present(first);
        } finally {
          await first.close();
        }
        const without = await startPlayground({ data });
        try {
          await without.reset();
        } finally {
          await without.close();
        }
        const again = await start({ data, natsPrefix });
        try {
          assert.equal(streamOf(again), stream);
          assert.deepEqual(await readStream(nats.url, stream), []);
          assert.equal((await present(again)).length, SIGNALS);
        } finally {
          await again.close();
        }
        const last = await start({ data, natsPrefix });
        try {
          // Nothing was replaced since, so it is the same stream.
          assert.equal((await readStream(nats.url, stream)).length, SIGNALS);
          await last.reset();
        } finally {
          await last.close();
        }
      } finally {
        await rm(data, { recursive: true });
      }
    });
  }

  test('a start whose NATS comes back late deletes the streams of replaced data before it relays to them', async () => {
    const data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
    const own = await startNats();
    const options = { data, natsUrl: own.url };
    try {
      const first = await start(options);
      const stream = streamOf(first);
      await new Landfall(first.credentials('carrier')).presentHouseConsignment(parcel);
      await until(async () => (await readStream(own.url, stream)).length >= SIGNALS);
      await first.close();
      const without = await startPlayground({ data });
      await without.reset();
      await without.close();
      await own.kill();
      // What comes first is refused.
      const away = createServer((socket) => socket.destroy());
      away.listen(Number(new URL(own.url).port), '127.0.0.1');
      const refused = once(away, 'connection');
      const starting = start(options);
      starting.catch(() => undefined);
      await refused;
      await new Promise((resolve) => away.close(resolve));
      await own.start();
      const again = await starting;
      assert.deepEqual(await readStream(own.url, stream), []);
      await again.close();
    } finally {
      await own.remove();
      await rm(data, { recursive: true });
    }
  });

  test('streams that a reset could not delete are, when NATS responds again, and only once', async () => {
    const [{ open } = assert.fail('no database')] = await testDatabases();
    const database = await open();
    const own = await startNats();
    const dataFolder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
    const config = readConfig(
      { NATS_URL: own.url, LANDFALL_RELAY: 'goods-items', LANDFALL_NATS_PREFIX: 'settled' },
      { dataFolder, logLevel: 'silent', port: await findPort('localhost', 0) },
    );
    const playground = await servePlayground(config, database, {
      closed: () => rm(dataFolder, { recursive: true }),
    });
    try {
      // One that it relays to, and one of an earlier process that relayed more.
      const recorded = ['settled_GOODS_ITEMS', 'earlier_ROUTING_SIGNALS'];
      await makeStream(own.url, 'earlier_ROUTING_SIGNALS', ['earlier.>']);
      const made = await whenMade(own.url, 'settled_GOODS_ITEMS');
      for (const stream of recorded)
        await database.query(recordRelayed(stream, [{ owner: 1, position: 1, sequence: 1 }]));
      await own.kill();
      await playground.reset();
      const noted = async () => (await database.query(selectKept('old streams')))[0]?.value;
      assert.deepEqual(JSON.parse((await noted()) ?? ''), recorded.toSorted());
      await own.start();
      await until(async () => (await noted()) === '[]');
      assert.deepEqual(await listStreams(own.url), ['settled_GOODS_ITEMS']);
      assert.notEqual(await whenMade(own.url, 'settled_GOODS_ITEMS'), made);
    } finally {
      await playground.close();
      await own.remove();
    }
  });

  test('the streams of another installation are not deleted, and the start says what they are', async () => {
    const other = await start({ natsPrefix: 'shared' });
    try {
      const messages = await present(other);
      await assert.rejects(start({ natsPrefix: 'shared' }), {
        code: 'PLAYGROUND_OPTION',
        message: /natsUrl \(NATS_URL\): .* is that of another installation/,
      });
      assert.deepEqual(await readStream(nats.url, streamOf(other)), messages);
    } finally {
      await other.close();
    }
  });

  test('a NATS that is not there, or is none, ends the start with the reason', async () => {
    const free = await findPort('127.0.0.1', 0);
    const other = createServer((socket) => socket.on('error', () => undefined).end('hello\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    assert(address !== null && typeof address === 'object');
    try {
      const starts = [free, address.port].map((port) =>
        assert.rejects(start({ natsUrl: `nats://127.0.0.1:${port}` }), {
          code: 'PLAYGROUND_OPTION',
          message: /natsUrl \(NATS_URL\): nothing is relayed to NATS: \S/,
        }),
      );
      await Promise.all(starts);
    } finally {
      other.close();
    }
  });

  test('a NATS that refuses the largest entries ends the start before one of them stops the relay', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
    const config = join(folder, 'nats.conf');
    await writeFile(config, 'jetstream {}\nmax_payload: 65536\n');
    const small = await startNats({ config });
    try {
      await assert.rejects(start({ natsUrl: small.url }), {
        code: 'PLAYGROUND_OPTION',
        message: /at most 65536 bytes.*raise max_payload/,
      });
    } finally {
      await small.remove();
      await rm(folder, { recursive: true });
    }
  });
});
