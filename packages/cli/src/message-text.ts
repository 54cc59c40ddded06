// One message found in a file.
import type { ValidationError } from '@landfall/contract';

/** The text of one message, or why it cannot be had. */
export type MessageText = {
  /** The line that it begins in, counted from 1. */
  line: number;
  found: string | { error: ValidationError };
};
