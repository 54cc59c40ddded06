// Prints what the copy has: node report.js DATABASE
import { openCopy } from './open-copy.js';

const [database] = process.argv.slice(2);
if (database === undefined) {
  console.error('usage: node report.js DATABASE');
  process.exit(2);
}
const copy = await openCopy(database);
const { directions, changes } = await copy.report();
for (const { direction, items, value } of directions) console.log(direction, items, value);
console.log(`${changes} changes applied`);
await copy.end();
