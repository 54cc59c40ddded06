// A server at which people sign in to the console, in the process that playground-process.ts starts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from '../app.js';
import { readConfig } from '../config.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { measureLongestTurn, readProcessorTime } from './longest-turn.js';
import type { PlaygroundReady } from './playground-process.js';
import { observeServers } from './served-routes.js';

const served = observeServers();
const [baseUrl = '', settings = ''] = process.argv.slice(2);
const database = await openInMemory();
const folder = await mkdtemp(join(tmpdir(), 'landfall-sign-in-'));
const { app } = await makeApp({
  config: readConfig({ LANDFALL_LOG_LEVEL: 'info', LANDFALL_RATE_LIMIT: '0' }),
  database,
  baseUrl,
  keysFolder: join(folder, 'keys'),
  identityProvider: { issuer: 'http://localhost:1', jwksUrl: 'http://localhost:1/jwks' },
  console: { openIdConnect: JSON.parse(settings) },
  metrics: {},
});
await app.listen({ port: Number(new URL(baseUrl).port), host: 'localhost' });
const takeLongestTurn = measureLongestTurn();
process.on('message', (asked) =>
  process.send?.(asked === 'processor time' ? readProcessorTime() : takeLongestTurn()),
);
process.once('disconnect', async () => {
  await app.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
  process.exit();
});
const ready: PlaygroundReady = { baseUrl, tokens: {}, credentials: [], ...served };
process.send?.(ready);
