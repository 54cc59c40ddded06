// A playground in a process of its own, whose heap is as small as its parent says. Sends its parent how to reach it.
import { testDatabases } from './databases.js';
import { TestPlayground } from './playground-client.js';

/** What the parent is sent. */
export type Reached = { baseUrl: string; tokens: { authority: string; statistics: string } };

const [, , name] = process.argv;
const chosen = (await testDatabases()).find((database) => database.name === name);
if (chosen === undefined) throw new Error(`there is no database ${name}`);
const playground = await TestPlayground.start(await chosen.open(), {
  openUploads: 0,
  rateLimit: 0,
});
const reached: Reached = {
  baseUrl: playground.playground.baseUrl,
  tokens: {
    authority: await playground.token('authority'),
    statistics: await playground.token('statistics'),
  },
};
process.send?.(reached);
process.once('message', () => {
  void playground.close().then(() => process.exit(0));
});
