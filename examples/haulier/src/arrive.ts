// Reports when the lorry has arrived, and waits until its goods may be unloaded: node dist/arrive.js TIME [SECONDS]
// The driver had no coverage at the border, so the time is that of the crossing, not that of the report.
import { readFile } from 'node:fs/promises';
import { EntryPendingError } from '@landfall/client';
import { landfall, TRANSPORT_FILE } from './connect.js';

const [dateAndTimeOfArrival, seconds = '60'] = process.argv.slice(2);
if (dateAndTimeOfArrival === undefined)
  throw new Error('usage: node dist/arrive.js TIME [SECONDS]');
const mrn = await readFile(TRANSPORT_FILE, 'utf8');

// The same report again changes nothing: it is sent until there is a response.
const reported = await landfall.reportArrival({
  mrn,
  dateAndTimeOfArrival,
  customsOfficeOfArrival: { referenceNumber: 'NO371001' },
});
if (reported.status === 'FAILURE') {
  throw new Error(JSON.stringify(reported.validationErrorList));
}
try {
  const { customsOfficeOfEntry, timeOfEntry } = await landfall.waitForEntry('road', mrn, {
    withinMs: Number(seconds) * 1000,
    onStatus: ({ validEntry, reasons }) => {
      if (!validEntry) console.log('not yet:', reasons?.join(', '));
    },
  });
  console.log('may be unloaded at', customsOfficeOfEntry, 'since', timeOfEntry);
} catch (error) {
  if (!(error instanceof EntryPendingError)) throw error;
  console.log('may not be unloaded:', error.status?.reasons?.join(', '));
  process.exitCode = 1;
}
