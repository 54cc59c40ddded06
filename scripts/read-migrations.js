// The migrations in the sources, as the list of published ones needs them.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../packages/service/migrations/', import.meta.url);

/** @returns {Map<string, string>} the scripts by name, in their order */
export function readMigrationScripts() {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return new Map(names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}
