// The times from and until which certificates are valid.

/** Certificates are valid by the clock of the playground and by those of clients, which are usually the system's. */
export function validity(...times: readonly Date[]): { now: Date; latest: Date } {
  const [now, latest] = times.map(Number).sort((one, other) => one - other);
  return { now: new Date(now ?? 0), latest: new Date(latest ?? 0) };
}
