// Finds organisations in the list by a part of their name or identifier.
import type { OrganisationSummary } from '@landfall/client';

/** Those whose name or identifier has every word of the text, whatever its case. */
export function filterOrganisations(
  organisations: readonly OrganisationSummary[],
  text: string,
): readonly OrganisationSummary[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return organisations;
  return organisations.filter(({ id, name }) => {
    const searched = `${id} ${name}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
