// What suites of the relay begin with: a NATS of their own, and a playground or servers that relay to it.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import type { RelayLog } from '../relay/relay-entries.js';
import { createMigratedPostgresql } from './migrated-postgresql.js';
import { type OwnNats, startNats } from './own-nats.js';
import { TestPlayground } from './playground-client.js';

/** A playground that relays to a NATS of its own, with names without a prefix, while the tests of the suite run. */
export function startRelayedPlayground(
  open: () => Promise<Database>,
  relay: 'goods-items' | 'all' = 'goods-items',
): {
  readonly nats: OwnNats;
  readonly playground: TestPlayground;
  /** The value of a metric; not a number if there is none. */
  metric(name: string): Promise<number>;
} {
  let nats: OwnNats | undefined;
  let playground: TestPlayground | undefined;
  before(async () => {
    nats = await startNats();
    playground = await TestPlayground.start(await open(), {
      natsUrl: nats.url,
      natsPrefix: 'none',
      relay,
    });
  });
  after(async () => {
    // Also when the playground could not be started: a server that is left would keep the tests from ending.
    try {
      await playground?.close();
    } finally {
      await nats?.remove();
    }
  });
  return {
    get nats() {
      return nats ?? assert.fail('NATS was not started');
    },
    get playground() {
      return playground ?? assert.fail('the playground was not started');
    },
    metric: async (name) => {
      const { text } = (await playground?.call('/metrics')) ?? assert.fail();
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    },
  };
}

/** A server, as far as a relay needs it. */
export type RelayServer = { database: Database; watch: FeedWatch };

/** Two servers on one PostgreSQL with a NATS of their own while the tests of the suite run, and the warnings of their relays. */
export function startRelayServers(): {
  readonly nats: OwnNats;
  readonly servers: readonly [RelayServer, RelayServer];
  readonly warnings: string[];
  readonly log: RelayLog;
  /** Runs SQL. */
  run(text: string): Promise<object[]>;
} {
  let nats: OwnNats | undefined;
  let drop: (() => Promise<void>) | undefined;
  let servers: readonly [RelayServer, RelayServer] | undefined;
  const warnings: string[] = [];
  before(async () => {
    nats = await startNats();
    const made = await createMigratedPostgresql();
    drop = made.drop;
    const open = (): RelayServer => {
      const database = openPostgresql(made.url);
      return { database, watch: new FeedWatch(database) };
    };
    servers = [open(), open()];
  });
  after(async () => {
    for (const { watch, database } of servers ?? []) {
      watch.close();
      await database.close();
    }
    await nats?.remove();
    await drop?.();
  });
  const opened = () => servers ?? assert.fail('the servers were not started');
  return {
    get nats() {
      return nats ?? assert.fail('NATS was not started');
    },
    get servers() {
      return opened();
    },
    warnings,
    log: {
      info: () => undefined,
      warn: (context: object, message: string) => {
        const { err } = context as { err?: Error };
        warnings.push(
          err === undefined
            ? `${message}: ${JSON.stringify(context)}`
            : `${message}: ${err.message}`,
        );
      },
    },
    run: (text) => opened()[0].database.query({ name: '', text, values: [] }),
  };
}
