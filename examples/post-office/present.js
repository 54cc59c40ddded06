// Presents the receptacles of a despatch: node present.js despatch.csv
import { Landfall } from '@landfall/client';
import { FileJournal, readCredentials } from '@landfall/client/node';
import { readDespatch } from './read-despatch.js';

const customsOfficeOfPresentation = 'NO351001';
const credentials = process.env.CREDENTIALS ?? '.landfall/credentials/post-operator-1.json';
const [file] = process.argv.slice(2);

const receptacles = readDespatch(file);
const landfall = new Landfall(await readCredentials(credentials));
// Has the requestId of each receptacle before it is sent, and its outcome afterwards. After a crash, or when the service
// was away, run it again: nothing is presented twice, and nothing is left out.
const journal = await FileJournal.open(`${file}.journal`);
const options = {
  journal: { read: readUnlessRefused, write: (entry) => journal.write(entry) },
  keyOf: ({ receptacleId }) => receptacleId,
  // The service presents the receptacles of one organisation one after the other, so more would wait there.
  concurrency: 1,
};
const presentations = receptacles.map((receptacleId) => ({
  customsOfficeOfPresentation,
  receptacleId,
}));
try {
  const outcomes = landfall.presentMany(presentations, options);
  for await (const { item, outcome, errors, isFromJournal } of outcomes) {
    console.log(item.receptacleId, isFromJournal ? 'presented earlier' : outcome);
    for (const { error } of errors) console.log(`  ${error}`);
    if (outcome === 'refused') process.exitCode = 1;
  }
} finally {
  await journal.close();
}

/** A receptacle that was refused is presented again: it may be pre-notified by now. */
async function readUnlessRefused(key) {
  const entry = await journal.read(key);
  return entry?.outcome === 'refused' ? undefined : entry;
}
