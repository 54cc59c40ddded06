// The process that playground-process.ts starts. It ends when its parent ends.
import { openInMemory } from '../database/embedded/embedded.js';
import { openPostgresql } from '../database/postgresql.js';
import { measureLongestTurn, readProcessorTime } from './longest-turn.js';
import { TestPlayground } from './playground-client.js';
import type { PlaygroundReady } from './playground-process.js';
import { observeServers } from './served-routes.js';

const served = observeServers();
const [databaseUrl] = process.argv.slice(2);
const database = databaseUrl === undefined ? await openInMemory() : openPostgresql(databaseUrl);
const test = await TestPlayground.start(database, { logLevel: 'warn', rateLimit: 0 });
const tokens: Record<string, string> = {};
for (const name of ['carrier', 'forwarder', 'express', 'statistics', 'authority']) {
  tokens[name] = await test.token(name);
}
const { baseUrl, identities: credentials } = test.playground;
const ready: PlaygroundReady = { baseUrl, tokens, credentials, ...served };
const takeLongestTurn = measureLongestTurn();
process.on('message', (asked) =>
  process.send?.(asked === 'processor time' ? readProcessorTime() : takeLongestTurn()),
);
process.once('disconnect', () => {
  void test.close().finally(() => process.exit());
});
process.send?.(ready);
