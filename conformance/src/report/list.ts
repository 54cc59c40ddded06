// The list of requirements for people.
import type { Area } from '../suite/requirement.js';

/** Every requirement with its sources and its cases. */
export function listAsText(areas: readonly Area[]): string {
  const lines = areas.flatMap(({ name, requirements }) => [
    name,
    ...requirements.flatMap(({ id, sentence, sources, cases }) => [
      `  ${id}  ${sentence}`,
      `            source: ${sources.map(({ text }) => text).join('; ')}`,
      ...Object.keys(cases).map((one) => `            - ${one}`),
    ]),
    '',
  ]);
  return lines.join('\n').trimEnd();
}
