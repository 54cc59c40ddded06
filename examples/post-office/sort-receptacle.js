// The rule of the post office.

/**
 * A receptacle is opened if something in it goes to control, and passed unopened if everything goes to entry. Until
 * every house consignment is decided, it waits, unless it is opened anyway.
 *
 * @param {readonly import('@landfall/client').RoutingSignal[]} signals the last one of each house consignment in it
 * @param {number} houseConsignments how many are in it
 */
export function sortReceptacle(signals, houseConsignments) {
  const toControl = signals.filter(({ routingResult }) => routingResult.routing === 'TO_CONTROL');
  const undecided = houseConsignments - signals.length;
  const action = toControl.length > 0 ? 'open' : undecided > 0 ? 'wait' : 'pass';
  return { action, toControl, undecided };
}
