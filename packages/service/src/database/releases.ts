// Which releases work with which schema: each runs beside the one before it.
import { readFileSync } from 'node:fs';

const { version, previousRelease } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The version of this release. */
const ownVersion = String(version);

/** The version of the release before this one: the oldest whose servers work with the migrations of this one. */
export const previousVersion = String(previousRelease.version);

/**
 * Whether a server works with a migration of a newer release.
 *
 * @param oldestVersion the oldest that does, as the newer release recorded it
 * @param server the version of the server
 */
export function worksWith(oldestVersion: string | null, server = ownVersion): boolean {
  return oldestVersion !== null && compareVersions(server, oldestVersion) >= 0;
}

/** Below 0 if the first one is older; of versions such as `1.2.3`. */
export function compareVersions(first: string, second: string): number {
  const others = numbersOf(second);
  return (
    numbersOf(first)
      .map((number, index) => number - (others[index] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  );
}

function numbersOf(version: string): number[] {
  return version.split('.', 3).map((number) => Number.parseInt(number, 10));
}
