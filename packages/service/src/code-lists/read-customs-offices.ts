// Reads a list of customs offices (CL141) from CSV. No database.
import { CustomsOffice, compileCheck } from '@landfall/contract';
import { type ListFormat, type ReadList, readCodeList } from './read-code-list.js';

const check = compileCheck<CustomsOffice>(CustomsOffice);

const format: ListFormat<CustomsOffice> = {
  columns: {
    reference_number: 'referenceNumber',
    name: 'name',
    valid_from: 'validFrom',
    valid_to: 'validTo',
  },
  requiredColumns: ['reference_number', 'name'],
  // The list of the whole EU has about 4,200.
  maxLines: 20_000,
  noun: 'customs office',
  plural: 'customs offices',
  check(entry) {
    const checked = check(entry);
    if (!checked.valid) return checked;
    const { validFrom, validTo } = checked.value;
    if (validFrom === undefined || validTo === undefined || validFrom <= validTo) return checked;
    const error = 'must not be before valid_from';
    return { valid: false, errors: [{ field: 'validTo', error, code: 'FORMAT' }] };
  },
};

/** @param csv UTF-8 text with the columns `reference_number,name` and optionally `valid_from,valid_to` */
export function readCustomsOffices(csv: Buffer): Promise<ReadList<CustomsOffice>> {
  return readCodeList(csv, format);
}
