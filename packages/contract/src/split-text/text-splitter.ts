// What finds JSON texts in what is read, chunk by chunk.
import type { ValidationError } from '../errors.js';

/** One text that was found. */
export type FoundText = {
  /** The line that it begins in, counted from 1. */
  line: number;
  /** The text, or why it cannot be read. */
  found: string | { error: ValidationError };
};

/** Finds texts in chunks of bytes, wherever these are cut. */
export type TextSplitter = {
  /** The texts that end in this chunk. */
  push(chunk: Uint8Array): FoundText[];
  /** What is left when nothing more comes. */
  end(): FoundText[];
  /** How much is kept of the text that has begun. */
  readonly pendingBytes: number;
};
