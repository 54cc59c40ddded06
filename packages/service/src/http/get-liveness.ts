// Liveness: whether this server serves HTTP at all.

/** The text that is sent. */
export function getLiveness(): string {
  return 'OK';
}
