// A process that presents many with a file journal, for tests that kill it. Arguments: a folder with credentials, the
// address of the service, the file of the journal, and how many items.
import { join } from 'node:path';
import { Landfall } from '../landfall.js';
import { FileJournal } from '../node/file-journal.js';
import { readCredentials } from '../node/read-credentials.js';

const [dataFolder = '', baseUrl = '', journalFile = '', count = '0'] = process.argv.slice(2);
const credentials = await readCredentials(join(dataFolder, 'credentials', 'carrier.json'));
// The service ignores `row`.
const carrier = new Landfall({ ...credentials, baseUrl, headers: {} });

function* parcels() {
  for (let row = 0; row < Number(count); row++) {
    yield {
      row,
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
    } as const;
  }
}

const journal = await FileJournal.open(journalFile);
for await (const { requestId, outcome } of carrier.presentMany(parcels(), { journal })) {
  process.send?.({ requestId, outcome });
}
await journal.close();
process.disconnect?.();
