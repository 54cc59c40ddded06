// The rule of the gate.

/**
 * Goods may be released if each house consignment with this document has TO_ENTRY as its last signal. Without a signal
 * nothing is known about them, so they are not released.
 *
 * @param {readonly import('@landfall/client').RoutingSignal[]} signals the last one of each consignment
 */
export function decideRelease(signals) {
  const routing = [...new Set(signals.map(({ routingResult }) => routingResult.routing))];
  if (routing.length === 0) return { release: false, reason: 'no routing signal' };
  return { release: routing.join() === 'TO_ENTRY', reason: routing.sort().join(', ') };
}
