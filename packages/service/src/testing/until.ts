// Waits for a condition in tests, however busy the machine is.

const POLL_INTERVAL_MS = 50;

/** Resolves when the condition holds. One that never does ends with the limit that all test files have. */
export async function until(holds: () => Promise<unknown> | unknown): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
