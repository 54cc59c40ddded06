// Lodges a lorry with all that is on it, from a file with one message a line: node dist/lodge.js [FILE]
import { writeFile } from 'node:fs/promises';
import { FileJournal } from '@landfall/client/node';
import { landfall, TRANSPORT_FILE } from './connect.js';
import { readJourney } from './read-journey.js';

const journey = await readJourney(process.argv[2] ?? 'journey.ndjson');

// Has the requestId of each message before it is sent. After a crash, run it again: nothing is lodged twice.
const journal = await FileJournal.open('lodged.ndjson');
try {
  const { transport, masterConsignments, houseConsignments, isLodged } =
    await landfall.lodgeJourney('road', journey, { journal });
  for (const { item, outcome, errors, status } of houseConsignments) {
    const { documentNumber } = item.consignmentHouseLevel.transportDocumentHouseLevel;
    const missing = status?.incompleteDocumentationReasonList ?? [];
    console.log(documentNumber, outcome, ...missing);
    for (const { field, error } of errors) console.log(`  ${field}: ${error}`);
  }
  console.log('master consignments', masterConsignments.map(({ outcome }) => outcome).join(' '));
  console.log('transport', transport?.outcome, transport?.status?.mrn ?? '');
  if (transport?.status?.mrn !== undefined) await writeFile(TRANSPORT_FILE, transport.status.mrn);
  if (!isLodged) process.exitCode = 1;
} finally {
  await journal.close();
}
