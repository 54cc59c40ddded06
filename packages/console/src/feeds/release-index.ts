// The last routing signal of each consignment, by everything that identifies it.
import { mrnOf, type RoutingSignal } from '@landfall/client';
import { identifierKey } from '@landfall/contract/identifier-key';

/** The most consignments that are kept; those whose signals are oldest are dropped. */
const MAX_CONSIGNMENTS = 100_000;

/** Finds the last signal of each consignment by document, MRN, receptacle or container. */
export class ReleaseIndex {
  /** The last signal by consignment, in the order of their arrival. */
  readonly #last = new Map<string, RoutingSignal>();
  /** The consignments of an identifier. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #max: number;

  constructor(max: number = MAX_CONSIGNMENTS) {
    this.#max = max;
  }

  get size(): number {
    return this.#last.size;
  }

  add(signal: RoutingSignal): void {
    const key = keyOf(signal);
    const before = this.#last.get(key);
    if (before !== undefined) this.#remove(key, before);
    this.#last.set(key, signal);
    for (const identifier of identifiersOf(signal)) {
      const keys = this.#keys.get(identifier) ?? new Set();
      keys.add(key);
      this.#keys.set(identifier, keys);
    }
    if (this.#last.size <= this.#max) return;
    // Finding the oldest takes time after many were removed, so a hundredth is dropped at once.
    const kept = this.#max - Math.floor(this.#max / 100);
    for (const oldest of this.#last) {
      if (this.#last.size <= kept) return;
      this.#remove(...oldest);
    }
  }

  /** The last signal of each consignment that the identifier identifies. */
  find(identifier: string): RoutingSignal[] {
    const keys = this.#keys.get(identifierKey(identifier)) ?? [];
    return [...keys].flatMap((key) => this.#last.get(key) ?? []);
  }

  /** The last signal of each consignment, in the order of their arrival. */
  list(): RoutingSignal[] {
    return [...this.#last.values()];
  }

  clear(): void {
    this.#last.clear();
    this.#keys.clear();
  }

  #remove(key: string, signal: RoutingSignal): void {
    this.#last.delete(key);
    for (const identifier of identifiersOf(signal)) {
      const keys = this.#keys.get(identifier);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(identifier);
    }
  }
}

/**
 * A document may be in several declarations. Its text is part of the key: goods that were registered before spellings were
 * compared may differ in nothing else, and one of them may have to be controlled.
 */
function keyOf(signal: RoutingSignal): string {
  const { documentNumber, type } = signal.transportDocumentHouseLevel;
  return JSON.stringify([mrnOf(signal), documentNumber, type]);
}

function identifiersOf(signal: RoutingSignal): Set<string> {
  const found = [
    mrnOf(signal),
    signal.transportDocumentHouseLevel.documentNumber,
    signal.transportDocumentMasterLevel?.documentNumber,
    signal.receptacleId,
    ...(signal.containerId ?? []),
  ];
  return new Set(found.flatMap((identifier) => (identifier ? [identifierKey(identifier)] : [])));
}
