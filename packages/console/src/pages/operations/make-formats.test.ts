// The labels of an axis say three values, whatever the largest one is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundUp } from '../../chart/scale.js';
import { type Formats, makeFormats } from './make-formats.js';

/** The smallest and the largest power of ten at the top of an axis. */
const powers: Record<keyof Formats, [number, number]> = {
  number: [-3, 9],
  duration: [-4, 5],
  share: [-4, 0],
  memory: [4, 12],
};

test('the labels of an axis are three different ones', () => {
  for (const locale of ['en-GB', 'nb-NO']) {
    // The cast is true because these are the keys of `powers`.
    for (const [name, format] of Object.entries(makeFormats(locale)) as [
      keyof Formats,
      (value: number) => string,
    ][]) {
      const [least, most] = powers[name];
      for (let power = least; power <= most; power++) {
        for (const factor of [1, 2, 5]) {
          const max = roundUp(factor * 10 ** power);
          const labels = [max, max / 2, 0].map(format);
          assert.equal(new Set(labels).size, 3, `${locale} ${name}: ${labels}`);
        }
      }
    }
  }
});
