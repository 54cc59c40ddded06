// SQL of loading datasets.
import type { Statement } from '@landfall/service/assembly';

/** For each reference: whether there is such a house consignment, and whether it is presented. */
export function findReferences(
  references: readonly { mrn: string; number: string; type: string }[],
): Statement<{ found: boolean; presented: boolean }> {
  return {
    name: 'find-references',
    text: `
      select houses > 0 as found, (
        select true from signal_recipient s where s.house_consignment_id = house limit 1) is not null as presented
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as r (mrn, number, type, ordinal)
      cross join lateral find_house_consignment(mrn, number, type) f
      order by ordinal`,
    values: [
      references.map(({ mrn }) => mrn),
      references.map(({ number }) => number),
      references.map(({ type }) => type),
    ],
  };
}
