// Playgrounds that relay to NATS: each has streams of its own, which a reset makes anew, and no start waits for a NATS that
// relays nothing.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Landfall } from '../../client/dist/index.js';
import { type OwnNats, startNats, whyNoNats } from '../../service/dist/testing/own-nats.js';
import {
  listStreams,
  type RelayedMessage,
  readStream,
} from '../../service/dist/testing/relayed-messages.js';
import { until } from '../../service/dist/testing/until.js';
import { findPort } from './find-port.js';
import type { Playground } from './playground.js';
import { startPlayground } from './start-playground.js';

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

  test('the streams of another installation are not deleted, and the start says what they are', async () => {
    const other = await start({ natsPrefix: 'shared' });
    try {
      const messages = await present(other);
      await assert.rejects(start({ natsPrefix: 'shared' }), {
        code: 'PLAYGROUND_OPTION',
        message: /natsUrl \(NATS_URL\): .* is no entry of this database/,
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
