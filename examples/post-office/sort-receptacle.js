// The rule of the post office.

/**
 * A receptacle is opened if something in it goes to control or may not enter, and passed unopened if everything goes to
 * entry. Until then it waits, unless it is opened anyway.
 *
 * @param {readonly import('@landfall/client').RoutingSignal[]} signals the last one of each house consignment in it
 * @param {number} houseConsignments how many are in it
 */
export function sortReceptacle(signals, houseConsignments) {
  const toControl = signals.filter(({ routingResult }) => routingResult.routing === 'TO_CONTROL');
  const denied = signals.filter(({ routingResult }) => routingResult.routing === 'ENTRY_DENIED');
  const toEntry = signals.filter(({ routingResult }) => routingResult.routing === 'TO_ENTRY');
  const undecided = houseConsignments - toEntry.length - toControl.length - denied.length;
  const isOpened = toControl.length > 0 || denied.length > 0;
  const action = isOpened ? 'open' : undecided > 0 ? 'wait' : 'pass';
  return { action, toControl, undecided };
}
