// A list of what is to be sent, as it was read from a file.
import type { ValidationError } from '@landfall/contract';

/** The column, or member, with the reasons in a file of failures; it is ignored when that is read. */
export const ERROR_COLUMN = 'error';

/** The form of a list; the delimiter of CSV is that of its header. */
export type ListForm = { form: 'csv'; delimiter: string } | { form: 'ndjson' };

/** A line that breaks rules: its fields by column, or its text if it cannot be split; that is empty if it is too long. */
export type InvalidLine = {
  line: number;
  fields: ReadonlyMap<string, string>;
  text: string;
  errors: readonly ValidationError[];
};

/** A list. `lines` has the number in the file of each item. */
export type SentList<Item> = {
  form: ListForm;
  items: readonly Item[];
  lines: readonly number[];
  invalid: readonly InvalidLine[];
  /** SHA-256 of the bytes, in hex. */
  digest: string;
  /** The key of an item in the journal. */
  keyOf(item: Item): Promise<string>;
  /** The office of those lines that have none; `undefined` if each has its own, or there is no such thing. */
  office?: string | undefined;
};
