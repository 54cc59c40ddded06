// The list of customs offices of a service into which none was imported.
import { nationalCustomsOffices } from '@landfall/contract';

/** The national offices as CSV. */
export function nationalList(): string {
  const rows = nationalCustomsOffices.map(
    ({ referenceNumber, name }) => `${referenceNumber},${name}`,
  );
  return ['reference_number,name', ...rows].join('\n');
}
