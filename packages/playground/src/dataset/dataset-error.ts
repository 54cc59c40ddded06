// Why a dataset is not loaded.
import type { ValidationError } from '@landfall/contract';

/** A line with the rules that it breaks. */
export type InvalidLine = { line: number; errors: readonly ValidationError[] };

/** Invalid lines that a message lists. */
const MAX_LISTED = 20;

/** A dataset breaks rules. The message lists the lines, each with the member and the rule. */
export class InvalidDatasetError extends Error {
  readonly code = 'INVALID_DATASET';
  override name = 'InvalidDatasetError';
  readonly invalid: readonly InvalidLine[];

  /** @param count how many lines are invalid; `invalid` may have only the first */
  constructor(dataset: string, invalid: readonly InvalidLine[], count = invalid.length) {
    const listed = invalid
      .slice(0, MAX_LISTED)
      .flatMap(({ line, errors }) =>
        errors.map(
          ({ field, error, code }) => `  line ${line}: ${field || 'line'}: ${error} (${code})`,
        ),
      );
    const more = count > MAX_LISTED ? [`  and ${count - MAX_LISTED} more lines`] : [];
    const what = count === 1 ? '1 invalid line' : `${count} invalid lines`;
    super([`the dataset ${dataset} has ${what}:`, ...listed, ...more].join('\n'));
    this.invalid = invalid;
  }
}

/** A dataset cannot be read. */
export class UnreadableDatasetError extends Error {
  readonly code = 'UNREADABLE_DATASET';
  override name = 'UnreadableDatasetError';
}
