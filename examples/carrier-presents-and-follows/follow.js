// Prints routing signals as they are issued, until Ctrl-C: node follow.js
// With --new it prints those that are new since the last run, and ends.
import { Landfall } from '@landfall/client';
import { FileMarkerStore, readCredentials } from '@landfall/client/node';

const credentials = process.env.CREDENTIALS ?? '.landfall/credentials/carrier.json';
const endsWhenLive = process.argv.includes('--new');

const landfall = new Landfall(await readCredentials(credentials));
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());

const signals = landfall.followRouting({
  // The marker of the last signal that was printed: the next run continues after it.
  store: new FileMarkerStore('signals.marker'),
  signal: stop.signal,
  onStateChange: (change) => {
    if (change.state === 'lost') console.error(`connection lost: ${change.error}`);
    else if (endsWhenLive) stop.abort();
  },
});
for await (const { transportDocumentHouseLevel: document, routingResult } of signals) {
  const { routing, routingControlLocation: where } = routingResult;
  // Here your program acts on the signal. After a crash, only the signal in hand comes again. If a consignment gets
  // several signals, the last one applies.
  console.log([document.documentNumber, document.type, routing, where].filter(Boolean).join(' '));
}
