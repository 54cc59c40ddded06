// The process that playground-process.ts starts. It ends when its parent ends.
import { openInMemory } from '../database/embedded/embedded.js';
import { openPostgresql } from '../database/postgresql.js';
import { measureLongestTurn, readProcessorTime } from './longest-turn.js';
import { TestPlayground } from './playground-client.js';
import type { PlaygroundReady, Question } from './playground-process.js';
import { observeServers } from './served-routes.js';

const served = observeServers();
const [databaseUrl = '', config = '{}'] = process.argv.slice(2);
const database = databaseUrl === '' ? await openInMemory() : openPostgresql(databaseUrl);
const test = await TestPlayground.start(database, {
  logLevel: 'warn',
  rateLimit: 0,
  ...JSON.parse(config),
});
const tokens: Record<string, string> = {};
for (const name of ['carrier', 'forwarder', 'express', 'statistics', 'authority']) {
  tokens[name] = await test.token(name);
}
const { baseUrl, identities: credentials } = test.playground;
const ready: PlaygroundReady = { baseUrl, tokens, credentials, ...served };
const takeLongestTurn = measureLongestTurn();
const answers: Record<Question, () => number> = {
  'longest turn': takeLongestTurn,
  'processor time': readProcessorTime,
  memory: () => process.memoryUsage.rss(),
};
// The cast is true because playground-process.ts asks nothing else.
process.on('message', (asked) => process.send?.(answers[asked as Question]()));
process.once('disconnect', () => {
  void test.close().finally(() => process.exit());
});
process.send?.(ready);
