// What a response in parts needs to know of the memory for what is not read yet.

/** The room of a stream in the memory for what is not read yet. */
export type StreamRoom = {
  /** Produces a page and holds its bytes when there is room for it; `undefined` if there was none for so long. */
  take<Part extends { bytes: Buffer }>(
    produce: () => Promise<Part>,
    timeoutMs: number,
  ): Promise<Part | undefined>;
  /** The page was read. */
  release(): void;
};
