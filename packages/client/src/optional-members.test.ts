// Whatever a program may leave out, it may also give as `undefined`: also where its TypeScript is strict about that.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import type { MirrorOptions, Presentation } from './index.js';
import type { LandfallOptions } from './landfall.js';

/** Compiled with `exactOptionalPropertyTypes`. */
export const given: [Presentation, MirrorOptions, Partial<LandfallOptions>] = [
  {
    requestId: undefined,
    customsOfficeOfPresentation: 'NO351001',
    mrn: undefined,
    transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
  },
  { startsAgain: undefined, onStartAgain: undefined, store: undefined },
  { hooks: { onRequest: undefined, traceparent: undefined }, retry: undefined },
];

test('every optional member may be undefined', () => {
  const folder = new URL('.', import.meta.url);
  // What the service sends has what it has; what programs send is made from the same schemas, and compiled above.
  // And what the library makes for itself.
  const left =
    /\.test\.d\.ts$|^testing\/|^contract\/types\.|^connection\/(?:body-form|operation|result-form)\.|^node\/read-key\.|^tokens\/(?:algorithms|private-jwk)\./;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.d.ts') && !left.test(file));
  assert(files.length > 50, String(files.length));
  const wrong = files.flatMap((file) =>
    readFileSync(new URL(file, folder), 'utf8')
      .split('\n')
      .filter((line) => /^\s+(?:readonly )?\w+\?: [^;]*;$/.test(line))
      .filter((line) => !/\bundefined;$|: unknown;$/.test(line))
      .map((line) => `${file}:${line}`),
  );
  assert.deepEqual(wrong, []);
});
