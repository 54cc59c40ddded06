// A program that follows routing signals and appends the id of each to a file, until it is killed.
//
//   node follow-and-log.js CREDENTIALS LOG file|own
import { appendFileSync, readFileSync } from 'node:fs';
import type { MarkerStore } from '../following/marker-store.js';
import { Landfall } from '../landfall.js';
import { FileMarkerStore } from '../node/file-marker-store.js';
import { readCredentials } from '../node/read-credentials.js';

const [credentials = '', log = '', store = ''] = process.argv.slice(2);

/** The log is both what the program does with a signal and its store. */
const ownStore: MarkerStore = {
  read: () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && line !== 'start')
      .at(-1),
  write: () => undefined,
};

const landfall = new Landfall(await readCredentials(credentials));
const following = landfall.followRouting({
  store: store === 'own' ? ownStore : new FileMarkerStore(`${log}.marker`),
});
appendFileSync(log, 'start\n');
for await (const { routingResult } of following) appendFileSync(log, `${routingResult.id}\n`);
