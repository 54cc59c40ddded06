// Waits in tests until something is what it should be; otherwise says what it is.
import assert from 'node:assert/strict';

const POLL_INTERVAL_MS = 50;

/** How long it may take, in milliseconds. */
const LIMIT_MS = 60_000;

/**
 * Resolves when both are equal. A read that fails is tried again: a stream that is read while it is purged has fewer messages
 * than it had.
 *
 * @throws an AssertionError with the difference
 */
export async function untilEqual<Value>(
  read: () => Promise<Value>,
  expect: () => Promise<Value>,
  note?: string,
): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  const isSame = async () => JSON.stringify(await read()) === JSON.stringify(await expect());
  while (performance.now() < end) {
    if (await isSame().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  assert.deepEqual(await read(), await expect(), note);
}
