// Which of the subscriptions that are due are sent to next, so that nobody's receivers take all that a server can do.

/** Who may be sent to. */
export type DueDelivery = {
  id: string;
  organisationId: number;
  /** The host of the receiver. */
  host: string;
  /** Whether nothing says that the receiver answers: it has confirmed nothing yet, or not the last attempt. */
  isUnproven: boolean;
};

/** How much is sent at once by a server: in all, for an organisation, and to a host. */
type Limit = { all: number; organisation: number; host: number };

/** A receiver that hangs keeps its place for 15 s. The rest is for those that have answered the last time. */
export const deliveryLimits: { all: Limit; unproven: Limit } = {
  all: { all: 200, organisation: 16, host: 32 },
  unproven: { all: 100, organisation: 8, host: 8 },
};

/** What is being sent, counted. */
export class RunningDeliveries {
  readonly #running = new Map<string, DueDelivery>();
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#running.size;
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** Whether there is room for one more. */
  hasRoomFor(delivery: DueDelivery): boolean {
    return keysOf(delivery).every(([key, limit]) => (this.#counts.get(key) ?? 0) < limit);
  }

  add(delivery: DueDelivery): void {
    this.#running.set(delivery.id, delivery);
    for (const [key] of keysOf(delivery)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(id: string): void {
    const delivery = this.#running.get(id);
    if (delivery === undefined) return;
    this.#running.delete(id);
    for (const [key] of keysOf(delivery)) {
      const count = (this.#counts.get(key) ?? 0) - 1;
      if (count > 0) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
  }
}

/** What a delivery counts towards, with the limits. */
function keysOf({
  organisationId,
  host,
  isUnproven,
}: DueDelivery): (readonly [key: string, limit: number])[] {
  const kinds = isUnproven ? (['all', 'unproven'] as const) : (['all'] as const);
  return kinds.flatMap((kind) => {
    const limit = deliveryLimits[kind];
    return [
      [kind, limit.all] as const,
      [`${kind} of ${organisationId}`, limit.organisation] as const,
      [`${kind} to ${host}`, limit.host] as const,
    ];
  });
}
