// The geometry of charts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLine, nearest, roundUp, timeLabels } from './scale.js';

const range = { from: 0, to: 1000, max: 10 };

test('the top of a chart is 1, 2 or 5 times a power of ten, and not below the value', () => {
  assert.deepEqual(
    [0, 0.003, 0.3, 1, 1.1, 2, 4, 7, 10, 101, 6000].map(roundUp),
    [1, 0.005, 0.5, 1, 2, 2, 5, 10, 10, 200, 10_000],
  );
});

test('a line is interrupted where nothing was measured', () => {
  const at = (...points: [number, number | undefined][]) =>
    drawLine(
      points.map(([time, value]) => ({ at: time, value })),
      range,
      100,
    );
  assert.equal(at([0, 0], [100, 5], [200, 10]), 'M0 100h0L100 50L200 0');
  assert.equal(at([0, 0], [100, undefined], [200, 10]), 'M0 100h0M200 0h0');
  assert.equal(at([0, 0], [300, 10]), 'M0 100h0M300 0h0');
  assert.equal(at([0, 99]), 'M0 0h0', 'a value beyond the top is at the top');
});

test('labels include both ends, and the nearest point is found', () => {
  assert.deepEqual(timeLabels(range, 5), [0, 250, 500, 750, 1000]);
  assert.equal(nearest([0, 400, 900], range, 0.6), 1);
  assert.equal(nearest([0, 400, 900], range, 1), 2);
  assert.equal(nearest([], range, 0.5), undefined);
});
