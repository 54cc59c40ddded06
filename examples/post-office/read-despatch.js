// The receptacles of a despatch, from a CSV file with a column receptacleId.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** @param {string | undefined} file */
export function readDespatch(file) {
  if (file === undefined) {
    console.error('name the file of the despatch, such as despatch.csv');
    process.exit(2);
  }
  const rows = parse(readFileSync(file), {
    columns: true,
    trim: true,
    bom: true,
    skip_empty_lines: true,
  });
  return rows.map(({ receptacleId }, index) => {
    if (!receptacleId) throw new Error(`${file}: row ${index + 1} has no receptacleId`);
    return receptacleId;
  });
}
