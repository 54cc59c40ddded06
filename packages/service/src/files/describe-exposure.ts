// Whether a file with a secret is open to users who must not have it.

/** Which rights make a file too open, and the rights that it should have instead. */
type Exposure = { mask: number; remedy: string };

/** Kinds of files and folders. */
export const exposures = {
  // Landfall writes these itself, so that nobody else ever needs them.
  key: { mask: 0o077, remedy: '0600' },
  keyFolder: { mask: 0o077, remedy: '0700' },
  // Orchestrators mount secrets that the group may read.
  secret: { mask: 0o026, remedy: '0600, or 0640 for a group,' },
} as const satisfies Record<string, Exposure>;

/**
 * A sentence that says that a file is too open and what to do, or `undefined`.
 *
 * @param what the file in words
 * @param mode as `stat` has it
 */
export function describeExposure(
  path: string,
  what: string,
  mode: number,
  { mask, remedy }: Exposure,
): string | undefined {
  // Windows has no such permissions, and Node.js reports invented ones.
  if (process.platform === 'win32' || (mode & mask) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return `${what} ${path} is open to others than its owner (mode ${shown}): chmod ${remedy} it`;
}
