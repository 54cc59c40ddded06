// The report for programs.
import type { Area, Requirement } from '../suite/requirement.js';
import { countOutcomes, type Report } from './report.js';

/** The results as one JSON document. */
export function makeJson({ baseUrl, startedAt, durationMs, results }: Report): string {
  return JSON.stringify(
    {
      baseUrl,
      startedAt,
      durationMs: Math.round(durationMs),
      requirements: countOutcomes(results),
      results: results.map(({ area, requirement, outcome, cases }) => ({
        ...describe(area, requirement),
        outcome,
        cases,
      })),
    },
    null,
    2,
  );
}

/** The requirements as one JSON document, without results. */
export function listAsJson(areas: readonly Area[]): string {
  const all = areas.flatMap(({ name, requirements }) =>
    requirements.map((requirement) => ({
      ...describe(name, requirement),
      needs: requirement.needs,
      cases: Object.keys(requirement.cases),
    })),
  );
  return JSON.stringify(all, null, 2);
}

function describe(area: string, { id, sentence, sources }: Requirement) {
  return { id, area, sentence, sources: sources.map(({ text }) => text) };
}
