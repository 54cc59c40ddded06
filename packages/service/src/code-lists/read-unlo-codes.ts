// Reads a list of places (CL144, UN/LOCODE) from CSV. No database.
import { compileCheck, UnloCode } from '@landfall/contract';
import { type ListFormat, type ReadList, readCodeList } from './read-code-list.js';

const check = compileCheck<UnloCode>(UnloCode);

const format: ListFormat<UnloCode> = {
  columns: { code: 'code', name: 'name' },
  requiredColumns: ['code'],
  // The published list has about 116,000.
  maxLines: 300_000,
  noun: 'place',
  plural: 'places',
  check,
};

/** @param csv UTF-8 text with the column `code` and optionally `name` */
export function readUnloCodes(csv: Buffer): Promise<ReadList<UnloCode>> {
  return readCodeList(csv, format);
}
