// Finds JSON texts in a stream of chunks.
import type { ValidationError } from '../errors.js';

/** One text that was found. */
export type FoundText = {
  /** The line in which it begins, counted from 1. */
  line: number;
  /** The text, or why it cannot be read. */
  found: string | { error: ValidationError };
};

/** Finds texts in chunks of bytes, wherever the chunks end. */
export type TextSplitter = {
  /** The texts that end in this chunk. */
  push(chunk: Uint8Array): FoundText[];
  /** The last text, when all chunks have been pushed. */
  end(): FoundText[];
  /** The number of stored bytes of the incomplete text. */
  readonly pendingBytes: number;
};
