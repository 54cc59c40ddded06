// Finds organisations in the list by a part of their name, identifier or identification numbers.
import type { OrganisationSummary } from '@landfall/client';

/** Those whose name, identifier and numbers have every word of the text, whatever its case. */
export function filterOrganisations(
  organisations: readonly OrganisationSummary[],
  text: string,
): readonly OrganisationSummary[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return organisations;
  return organisations.filter(({ id, name, identificationNumbers }) => {
    const searched = [id, name, ...identificationNumbers].join(' ').toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
