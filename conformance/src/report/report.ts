// What every form of the report is made from.
import type { CaseResult, Outcome, RequirementResult } from '../suite/run-suite.js';

/** The results of a run. */
export type Report = {
  baseUrl: string;
  startedAt: Date;
  durationMs: number;
  results: readonly RequirementResult[];
};

/** How many requirements have each outcome. */
export function countOutcomes(results: readonly { outcome: Outcome }[]): Record<Outcome, number> {
  const count = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count('passed'), failed: count('failed'), 'not tested': count('not tested') };
}

/** How many cases had not ended when the run did. */
export function countOutOfTime({ results }: Report): number {
  return results.flatMap(({ cases }) => cases).filter(({ outOfTime }) => outOfTime).length;
}

/** The results by area, in the order of the requirements. */
export function byArea(results: readonly RequirementResult[]): Map<string, RequirementResult[]> {
  const areas = new Map<string, RequirementResult[]>();
  for (const result of results) {
    areas.set(result.area, [...(areas.get(result.area) ?? []), result]);
  }
  return areas;
}

/** The cases that were not tested, although their requirement may be. */
export function untestedCases({ cases }: RequirementResult): CaseResult[] {
  return cases.filter(({ outcome }) => outcome === 'not tested');
}

/** The sources of a requirement as one text. */
export function sourcesOf({ requirement }: RequirementResult): string {
  return requirement.sources.map(({ text }) => text).join('; ');
}
