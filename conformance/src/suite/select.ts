// Selects requirements by their ids.
import type { Area } from './requirement.js';

/** An id was given that no requirement has. */
export class UnknownRequirementError extends Error {
  readonly code = 'UNKNOWN_REQUIREMENT';
  override name = 'UnknownRequirementError';
}

/**
 * The requirements with these ids, or whose ids begin with one of these, such as `ROUT`; all if there are none.
 *
 * @throws UnknownRequirementError for an id that selects nothing
 */
export function selectRequirements(areas: readonly Area[], ids: readonly string[]): Area[] {
  const selects = (wanted: string, id: string) => id === wanted || id.startsWith(`${wanted}-`);
  const known = areas.flatMap(({ requirements }) => requirements.map(({ id }) => id));
  const unknown = ids.find((wanted) => !known.some((id) => selects(wanted, id)));
  if (unknown !== undefined) {
    throw new UnknownRequirementError(`no requirement ${unknown}: --list shows all`);
  }
  if (ids.length === 0) return [...areas];
  return areas
    .map(({ name, requirements }) => ({
      name,
      requirements: requirements.filter(({ id }) => ids.some((wanted) => selects(wanted, id))),
    }))
    .filter(({ requirements }) => requirements.length > 0);
}
