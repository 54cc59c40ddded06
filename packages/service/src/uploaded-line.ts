// One entry of an upload: a line of NDJSON, or an element of an array.
import type { ValidationError } from '@landfall/contract';

/** An entry as it was sent, with its line or its number in the array, from 1; its value, or why it cannot be read. */
export type UploadedLine = {
  line: number;
  /** Its length; absent of an element of an array. */
  bytes?: number;
  value: unknown;
  unreadable?: ValidationError;
};
