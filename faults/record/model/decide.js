// Deciding where house consignments go. Wire contract, sections 5 and 7.
import {
  addEvent,
  isSameDocument,
  isSameRouting,
  issueSignal,
  listedHouses,
  routingOf,
} from './record.js';

/**
 * Decides on one house consignment.
 *
 * @returns the result: status, and the number of signals or the code of what is wrong
 */
export function decide(record, decision, { officer: { organisation, client } }) {
  const { mrn, transportDocumentHouseLevel: document, reason } = decision;
  const found = listedHouses(record).filter(
    (house) =>
      (mrn === undefined || house.mrn === mrn) &&
      isSameDocument(house.content.transportDocumentHouseLevel, document),
  );
  if (found.length === 0) return { status: 'REFUSED', codes: ['REFERENCE_NOT_FOUND'] };
  if (found.length > 1) return { status: 'REFUSED', codes: ['REFERENCE_AMBIGUOUS'] };
  const [house] = found;
  if (house.decision !== null && isSameRouting(house.decision, decision)) {
    return { status: 'UNCHANGED', signals: 0, house: house.number };
  }
  const routing = routingOf(decision);
  house.decision = { ...routing, origin: 'OFFICER' };
  house.decisions++;
  addEvent(record, house, {
    event: 'DECIDED',
    organisation,
    client,
    details: { number: house.decisions, ...routing, ...(reason && { reason }) },
  });
  for (const recipient of house.recipients) issueSignal(record, house, recipient);
  return { status: 'DECIDED', signals: house.recipients.length, house: house.number };
}
