// The geometry of a chart: its range, its labels and its lines. No React.

/** A value at a time. */
export type ChartPoint = {
  /** Milliseconds since 1970. */
  at: number;
  /** Nothing was measured. */
  value: number | undefined;
};

/** The range of a chart. */
export type ChartRange = {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** The value at the top; that at the bottom is 0. */
  max: number;
};

/** The size of the drawing, in units of its own: it is stretched to the space that there is. */
export const WIDTH = 1000;
export const HEIGHT = 100;

/** The next of 1, 2, 5, 10, 20, ... that is not less; 1 for 0. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10;
  // Without the digits that dividing adds, such as in 0.30000000000000004.
  return Number((factor * power).toPrecision(1));
}

/** Times at equal distances, the first and the last of the range among them. */
export function timeLabels({ from, to }: ChartRange, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1));
}

/**
 * A line through the points as the `d` of a path. A value that is missing, or points that are too far from each other,
 * interrupt it; a point alone is a dot.
 *
 * @param step the usual time between two points, in milliseconds
 */
export function drawLine(points: readonly ChartPoint[], range: ChartRange, step: number): string {
  const { from, to, max } = range;
  let line = '';
  let previous: ChartPoint | undefined;
  for (const point of points) {
    const { at, value } = point;
    if (value === undefined) {
      previous = undefined;
      continue;
    }
    const x = round(((at - from) / (to - from)) * WIDTH);
    const y = round(HEIGHT - (Math.min(value, max) / max) * HEIGHT);
    // A line of no length makes the dot.
    line +=
      previous !== undefined && at - previous.at <= 1.5 * step ? `L${x} ${y}` : `M${x} ${y}h0`;
    previous = point;
  }
  return line;
}

/** The index of the point that is nearest to a share of the width, from 0 to 1; `undefined` without points. */
export function nearest(
  times: readonly number[],
  { from, to }: ChartRange,
  share: number,
): number | undefined {
  const time = from + share * (to - from);
  let best: number | undefined;
  for (const [index, at] of times.entries()) {
    if (best === undefined || Math.abs(at - time) < Math.abs((times[best] ?? 0) - time))
      best = index;
  }
  return best;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
