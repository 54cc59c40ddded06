// Compares two versions of routing profiles rule by rule.
import type { RoutingProfile, RoutingRule } from '@landfall/client';

/** A rule that one or both versions have. Numbers are those of the rules, from 1. */
export type RuleChange = {
  before?: { number: number; rule: RoutingRule };
  after?: { number: number; rule: RoutingRule };
  /** Whether the rule decides otherwise, or on other goods. */
  isChanged: boolean;
  /** Whether it comes earlier or later relative to the rules that stay: the first one that applies decides. */
  isMoved: boolean;
};

/** The comparison: all rules in their new order, each removed one after the rule that it followed. */
export type Comparison = { isSaltChanged: boolean; rules: readonly RuleChange[] };

/** Compares two profiles. Rules are the same if they have the same name; of several with one name, in their order. */
export function compareProfiles(before: RoutingProfile, after: RoutingProfile): Comparison {
  const keysBefore = keysOf(before.rules);
  const keysAfter = keysOf(after.rules);
  const indexBefore = new Map(keysBefore.map((key, index) => [key, index]));
  const staying = keysAfter.flatMap((key) => indexBefore.get(key) ?? []);
  const inOrder = new Set(increasingPart(staying));
  const changes: RuleChange[] = after.rules.map((rule, index) => {
    const from = indexBefore.get(keysAfter[index] ?? '');
    const earlier = from === undefined ? undefined : before.rules[from];
    if (from === undefined || earlier === undefined) {
      return { after: { number: index + 1, rule }, isChanged: false, isMoved: false };
    }
    return {
      before: { number: from + 1, rule: earlier },
      after: { number: index + 1, rule },
      isChanged: canonical(earlier) !== canonical(rule),
      isMoved: !inOrder.has(from),
    };
  });
  const kept = new Set(keysAfter);
  for (const [index, rule] of before.rules.entries()) {
    if (kept.has(keysBefore[index] ?? '')) continue;
    const change = { before: { number: index + 1, rule }, isChanged: false, isMoved: false };
    const previous = changes.findIndex((one) => one.before?.number === index);
    changes.splice(index === 0 ? 0 : previous + 1, 0, change);
  }
  return { isSaltChanged: before.salt !== after.salt, rules: changes };
}

/** The name of each rule, with a number if it is not the first of the name. */
function keysOf(rules: readonly RoutingRule[]): string[] {
  const seen = new Map<string, number>();
  return rules.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return `${count} ${name}`;
  });
}

/** A text that is equal for rules that decide equally: the order of members, and of the values of a condition, is not. */
function canonical({ when = {}, share = 1, routing, routingControlLocation }: RoutingRule): string {
  const conditions = Object.entries(when)
    .map(
      ([name, values]) => [name, typeof values === 'number' ? values : [...values].sort()] as const,
    )
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([conditions, share, routing, routingControlLocation]);
}

/** The greatest increasing part of different numbers: these stay, and the others have moved. */
function increasingPart(numbers: readonly number[]): number[] {
  /** For each number, the greatest part that ends with it. */
  const endingWith: number[][] = [];
  for (const [index, number] of numbers.entries()) {
    let before: number[] = [];
    for (let earlier = 0; earlier < index; earlier++) {
      const part = endingWith[earlier] ?? [];
      if ((numbers[earlier] ?? number) < number && part.length > before.length) before = part;
    }
    endingWith.push([...before, number]);
  }
  return endingWith.reduce((best, part) => (part.length > best.length ? part : best), []);
}
