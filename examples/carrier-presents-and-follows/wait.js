// Presents a master consignment, and waits until each of its house consignments may go or goes to control:
// node wait.js MASTER TYPE HOUSE...
import { Landfall, RoutingPendingError } from '@landfall/client';
import { FileMarkerStore, readCredentials } from '@landfall/client/node';

const credentials = process.env.CREDENTIALS ?? '.landfall/credentials/carrier.json';
const [documentNumber, type, ...houses] = process.argv.slice(2);

const landfall = new Landfall(await readCredentials(credentials));
await landfall.presentMasterConsignment({
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentMasterLevel: { documentNumber, type },
});
// In your program they come from its database: those of the master consignment that have no routing yet.
const waiting = houses.map((house) => ({
  transportDocumentHouseLevel: { documentNumber: house, type: 'N740' },
}));
// One reader of the feed for all of them. The next run continues after what this one has read.
const store = new FileMarkerStore('wait.marker');
try {
  for await (const { item, routing } of landfall.waitForRouting(waiting, {
    store,
    withinMs: 2_000,
  })) {
    console.log(item.transportDocumentHouseLevel.documentNumber, routing);
  }
} catch (error) {
  if (!(error instanceof RoutingPendingError)) throw error;
  for (const item of error.pending) {
    console.log(item.transportDocumentHouseLevel.documentNumber, 'not decided yet');
  }
}
