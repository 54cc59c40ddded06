// Keeps a copy of the current goods items in a database, until Ctrl-C:
//
//   node mirror.js items.db                    SQLite
//   node mirror.js postgresql://user@host/db   PostgreSQL
//
// With --new it ends when the copy is complete.
import { parseArgs } from 'node:util';
import { Landfall } from '@landfall/client';
import { readCredentials } from '@landfall/client/node';
import { openCopy } from './open-copy.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { new: { type: 'boolean', default: false } },
});
const [database] = positionals;
if (database === undefined) {
  console.error('usage: node mirror.js DATABASE [--new]');
  process.exit(2);
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());

const credentials = process.env.CREDENTIALS ?? '.landfall/credentials/statistics.json';
const landfall = new Landfall(await readCredentials(credentials));
const copy = await openCopy(database);
try {
  await landfall.mirrorGoodsItems(copy, {
    store: copy,
    signal: stop.signal,
    onStateChange: (change) => {
      if (change.state === 'lost') console.error(`connection lost: ${change.error}`);
      else if (values.new) stop.abort();
    },
  });
} catch (error) {
  // The transaction is rolled back: run it again, and it continues after the last one.
  console.error(`the mirror ends: ${error.message}`);
  process.exitCode = 1;
} finally {
  await copy.end();
}
