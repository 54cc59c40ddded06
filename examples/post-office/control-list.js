// What to do with each receptacle of a presented despatch: node control-list.js despatch.csv
import { Landfall, mrnOf } from '@landfall/client';
import { FileJournal, readCredentials } from '@landfall/client/node';
import { readDespatch } from './read-despatch.js';
import { sortReceptacle } from './sort-receptacle.js';

const credentials = process.env.CREDENTIALS ?? '.landfall/credentials/post-operator-1.json';
const [file] = process.argv.slice(2);

const receptacles = readDespatch(file);
const landfall = new Landfall(await readCredentials(credentials));
const requestIds = await readPresented();
const signals = await readLastSignals();
for (const receptacleId of receptacles) {
  const requestId = requestIds.get(receptacleId);
  if (requestId === undefined) {
    console.log(receptacleId, 'not presented');
    continue;
  }
  // How many house consignments are in it.
  const { houseConsignments } = await landfall.getValidationStatus(requestId);
  const { action, toControl, undecided } = sortReceptacle(
    [...(signals.get(receptacleId)?.values() ?? [])],
    houseConsignments ?? 0,
  );
  console.log(
    `${receptacleId} ${action}: ${toControl.length} of ${houseConsignments} to control, ${undecided} undecided`,
  );
  for (const { transportDocumentHouseLevel: document, routingResult } of toControl) {
    console.log(
      `  ${document.documentNumber} ${document.type} ${routingResult.routingControlLocation ?? ''}`,
    );
  }
}

/** The requestIds with which receptacles were presented. */
async function readPresented() {
  const journal = await FileJournal.open(`${file}.journal`);
  const presented = new Map();
  for (const receptacleId of receptacles) {
    const entry = await journal.read(receptacleId);
    if (entry?.outcome === 'presented') presented.set(receptacleId, entry.requestId);
  }
  await journal.close();
  return presented;
}

/** The last signal of each house consignment, by receptacle. */
async function readLastSignals() {
  const signals = new Map();
  for (let query = {}; query !== undefined; ) {
    const page = await landfall.readRoutingSignals(query);
    for (const signal of page.entries) {
      const { receptacleId } = signal;
      const { documentNumber, type } = signal.transportDocumentHouseLevel;
      if (!signals.has(receptacleId)) signals.set(receptacleId, new Map());
      signals.get(receptacleId).set(`${mrnOf(signal)} ${type} ${documentNumber}`, signal);
    }
    query = page.next;
  }
  return signals;
}
