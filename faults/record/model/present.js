// Presenting at five levels.
import { UNKNOWN_OFFICE } from '../world.js';
import { addEvent, isSameDocument, issueSignal, listedHouses } from './record.js';

/** The names of levels in statuses, by the last part of their address. */
const LEVELS = {
  'house-consignment': 'HOUSE_CONSIGNMENT',
  'master-consignment': 'MASTER_CONSIGNMENT',
  container: 'CONTAINER',
  receptacle: 'RECEPTACLE',
  'entry-summary-declaration': 'ENTRY_SUMMARY_DECLARATION',
};

/** Whether the reference of a presentation leads to a house consignment. */
export function isReached({ reference }, { mrn, content }) {
  const { transportDocumentMasterLevel: master, containerId, receptacleId } = reference;
  if (reference.mrn !== undefined && reference.mrn !== mrn) return false;
  if (reference.transportDocumentHouseLevel !== undefined) {
    return isSameDocument(
      reference.transportDocumentHouseLevel,
      content.transportDocumentHouseLevel,
    );
  }
  if (master !== undefined) return isSameDocument(master, content.transportDocumentMasterLevel);
  if (containerId !== undefined) return (content.containerId ?? []).includes(containerId);
  if (receptacleId !== undefined) return content.receptacleId === receptacleId;
  return true;
}

/**
 * Presents goods.
 *
 * @param {{ organisation: string, level: string, requestId: string, office: string, reference: object }} presentation
 * @returns the codes of every broken rule, none if it is accepted
 */
export function present(record, presentation) {
  const { organisation, level, requestId, office } = presentation;
  const statuses = record.statuses[organisation];
  const isReused = statuses.some((status) => status.requestId === requestId);
  const reached = listedHouses(record).filter((house) => isReached(presentation, house));
  const codes = [
    ...(isReused ? ['REQUEST_ID_REUSED'] : []),
    ...(office === UNKNOWN_OFFICE ? ['UNKNOWN_CODE'] : []),
    ...referenceProblem(record, presentation, reached),
  ];
  if (isReused) return codes;
  const status = {
    requestId,
    level: LEVELS[level],
    ...(office !== UNKNOWN_OFFICE && { customsOfficeOfPresentation: office }),
  };
  if (codes.length > 0) {
    statuses.push({ ...status, status: 'FAILURE', codes });
    return codes;
  }
  const mrns = reachedDeclarations(presentation, reached);
  statuses.push({
    ...status,
    status: 'SUCCESS',
    ...(mrns.length === 1 && { mrn: mrns[0] }),
    houseConsignments: reached.length,
    mrns,
  });
  for (const house of reached) presentHouse(record, house, presentation);
  if (level !== 'house-consignment') {
    record.presentations.push({
      ...presentation,
      step: record.step,
      level: LEVELS[level],
      mrns,
    });
  }
  return [];
}

function reachedDeclarations({ level, reference }, reached) {
  if (level === 'entry-summary-declaration') return [reference.mrn];
  return [...new Set(reached.map(({ mrn }) => mrn))];
}

function referenceProblem(record, { level, reference }, reached) {
  if (level === 'entry-summary-declaration') {
    // A declaration may be empty.
    return record.declarations[reference.mrn] === undefined ? ['REFERENCE_NOT_FOUND'] : [];
  }
  if (reached.length === 0) return ['REFERENCE_NOT_FOUND'];
  const isDocument = level === 'house-consignment' || level === 'master-consignment';
  const several = new Set(reached.map(({ mrn }) => mrn)).size > 1;
  return isDocument && several ? ['REFERENCE_AMBIGUOUS'] : [];
}

function presentHouse(record, house, { organisation, level, requestId, office }) {
  const { declarant, representative } = record.declarations[house.mrn];
  const parties = [organisation, declarant, representative].filter((party) => party !== undefined);
  const connected = [...new Set(parties)].filter((party) => !house.recipients.includes(party));
  if (connected.length === 0) return;
  house.recipients.push(...connected);
  house.presentedBy.push({ organisation, requestId, office, step: record.step });
  addEvent(record, house, {
    event: 'PRESENTED',
    organisation,
    requestId,
    details: { level: LEVELS[level], customsOfficeOfPresentation: office },
  });
  if (house.decision === null) return;
  for (const recipient of connected) issueSignal(record, house, recipient);
}

/** The presentations of a whole that a house consignment has entered afterwards. */
export function earlierPresentations(record, house) {
  return record.presentations.filter((presentation) => {
    if (!isReached(presentation, house)) return false;
    const { organisation, requestId, step } = presentation;
    const presentedIt = house.presentedBy.some(
      (by) => by.organisation === organisation && by.requestId === requestId,
    );
    if (presentedIt) return false;
    // The history says so also when it was presented later.
    return house.presentedBy.length === 0 || step < house.presentedBy[0].step;
  });
}
