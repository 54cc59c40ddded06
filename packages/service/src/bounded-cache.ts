// How many entries a cache has at most.

/**
 * The options of an `LRUCache` of at most so many entries. Its own option `max` allocates them all at once: 50,000 take 5 ms
 * and 2 MB at each start of a service, and a playground has one for each of its spaces.
 */
export function atMost(max: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: max, sizeCalculation: () => 1 };
}
