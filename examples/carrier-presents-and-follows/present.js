// Presents entry summary declarations: node present.js MRN...
import { Landfall } from '@landfall/client';
import { FileJournal, readCredentials } from '@landfall/client/node';

const customsOfficeOfPresentation = 'NO351001';
const credentials = process.env.CREDENTIALS ?? '.landfall/credentials/carrier.json';

const landfall = new Landfall(await readCredentials(credentials));
// Has the requestId of each declaration before it is sent, and its outcome afterwards. After a crash, or when the service
// was away, run it again: nothing is presented twice, and nothing is left out.
const journal = await FileJournal.open('presentations.ndjson');
const declarations = process.argv.slice(2).map((mrn) => ({ customsOfficeOfPresentation, mrn }));
// One after the other: these are few, and their output has the order of the arguments.
const options = { journal, keyOf: ({ mrn }) => mrn, concurrency: 1 };
try {
  for await (const { item, outcome, errors } of landfall.presentMany(declarations, options)) {
    console.log(item.mrn, outcome);
    for (const { field, error } of errors) console.log(`  ${field}: ${error}`);
    if (outcome === 'refused') process.exitCode = 1;
  }
} finally {
  await journal.close();
}
