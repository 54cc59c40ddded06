// The goods of a day: which chapters of the Harmonized System arrive at a site, and how often they are controlled.
import { type Subheading, subheadings } from '../goods-items/subheadings.js';
import type { Random } from '../random.js';
import { type Picker, pickByWeight, skewedInteger } from '../random-shares.js';

/** Relative frequency of chapters, by two digits. All other chapters of the table have a weight of 1 together. */
export type ChapterWeights = Readonly<Record<string, number>>;

/** Maximum number of subheadings of one house consignment. */
const MAX_SUBHEADINGS = 8;

/** How many times as often as other goods the goods of a chapter are controlled. */
const risks: ChapterWeights = {
  '01': 4,
  '02': 3,
  '07': 2,
  '22': 5,
  '24': 6,
  '30': 3,
  '36': 6,
  '93': 8,
};

/** Picks the subheadings of a house consignment. */
export type PickGoods = (random: Random) => string[];

/** Makes a picker of goods with these chapters. */
export function makeGoods(weights: ChapterWeights): PickGoods {
  const byChapter = new Map<string, Subheading[]>();
  for (const subheading of subheadings) {
    const chapter = subheading.code.slice(0, 2);
    byChapter.set(chapter, [...(byChapter.get(chapter) ?? []), subheading]);
  }
  const others = [...byChapter.keys()].filter((chapter) => weights[chapter] === undefined);
  const pickChapter: Picker<string> = pickByWeight([
    ...Object.entries(weights),
    ...others.map((chapter) => [chapter, 1 / others.length] as const),
  ]);
  const pickOne = (random: Random): string => {
    const kinds: readonly Subheading[] = byChapter.get(pickChapter(random)) ?? [];
    return random.pick(kinds).code;
  };
  return (random) => {
    const count = skewedInteger(random, 1, MAX_SUBHEADINGS, 3);
    return [...new Set(Array.from({ length: count }, () => pickOne(random)))];
  };
}

/** How many times as often as other goods these are controlled: as the subheading with the highest risk. */
export function riskOf(codes: readonly string[]): number {
  return Math.max(1, ...codes.map((code) => risks[code.slice(0, 2)] ?? 1));
}
