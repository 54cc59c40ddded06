// What the service must say of a record: searches, releases, arrivals, and declarations.
import { earlierPresentations } from './present.js';
import {
  houseKey,
  housesOf,
  isPresented,
  isSameDocument,
  listedHouses,
  routingOf,
  signalHead,
} from './record.js';

function stateOf(house) {
  if (isPresented(house)) return house.decision === null ? 'PRESENTED' : 'SIGNALLED';
  return house.decision === null ? 'PRE_NOTIFIED' : 'DECIDED';
}

/**
 * A house consignment as a search shows it, without its id and times.
 *
 * @returns `view`: what is shown; `flags`: the earlier presentations, of which one is shown; `firstPresentation`; `issued`: the
 *   last signal
 */
export function viewHouse(record, house) {
  const declaration = record.declarations[house.mrn];
  const { harmonizedSystemSubheadingCode } = house.content;
  const presented = isPresented(house);
  const { customsOfficeOfFirstEntry, declarant, representative } = declaration;
  return {
    view: {
      ...signalHead(record, house),
      customsOfficeOfFirstEntry,
      declarant,
      ...(representative !== undefined && { representative }),
      ...(harmonizedSystemSubheadingCode !== undefined && { harmonizedSystemSubheadingCode }),
      state: stateOf(house),
      ...routingOf(house.decision ?? {}),
      ...(house.current && {
        decision: {
          number: house.current.number,
          ...routingOf(house.current),
          origin: house.current.origin,
        },
      }),
      ...(house.difference && { difference: house.difference }),
    },
    flags: presented ? [] : earlierPresentations(record, house),
    firstPresentation: house.presentedBy[0],
    issued: house.signals.at(-1),
  };
}

/** The house consignments that a search must find. */
export function search(record, filters) {
  return listedHouses(record).filter((house) => matches(record, house, filters));
}

function matches(record, house, filters) {
  const { mrn, content } = house;
  const { documentNumber, type } = content.transportDocumentHouseLevel;
  const declaration = record.declarations[mrn];
  const tests = {
    mrn: (value) => mrn === value,
    documentNumber: (value) => documentNumber === value,
    type: (value) => type === value,
    masterDocumentNumber: (value) => content.transportDocumentMasterLevel?.documentNumber === value,
    receptacleId: (value) => content.receptacleId === value,
    containerId: (value) => (content.containerId ?? []).includes(value),
    state: (value) => stateOf(house) === value,
    office: (value) => declaration.customsOfficeOfFirstEntry === value,
    organisation: (value) =>
      [declaration.declarant, declaration.representative].includes(value) ||
      house.presentedBy.some(({ organisation }) => organisation === value),
  };
  return Object.entries(filters).every(([name, value]) => tests[name](value));
}

/** A declaration as it was registered last; `undefined` if there is none. */
export function readDeclaration(record, mrn) {
  const members = record.declarations[mrn];
  if (members === undefined) return undefined;
  return {
    mrn,
    ...members,
    houseConsignments: housesOf(record, mrn).map(({ content, registered }) => ({
      ...content,
      ...registered,
    })),
  };
}

/**
 * Whether goods may be released.
 *
 * @param {string | undefined} organisation who asks; `undefined` for the authority, which sees all
 */
export function checkRelease(record, identifier, organisation) {
  const identified = listedHouses(record).filter((house) => identifies(identifier, house));
  const isKnown = ({ recipients }) =>
    organisation === undefined || recipients.includes(organisation);
  const examined = identified.filter(isKnown);
  const count = (state) => examined.filter((house) => stateOfRelease(house) === state).length;
  const counts = {
    toEntry: count('TO_ENTRY'),
    toControl: count('TO_CONTROL'),
    undecided: count('UNDECIDED'),
    notPresented: count('NOT_PRESENTED'),
  };
  const locations = new Set(
    examined
      .filter((house) => stateOfRelease(house) === 'TO_CONTROL')
      .map(({ decision }) => decision.routingControlLocation),
  );
  const [location] = locations;
  const isFree = (house) =>
    isPresented(house) &&
    house.decision !== null &&
    (house.decision.routing === 'TO_ENTRY' || isKnown(house));
  const hasEntered = identified.some(
    (house) =>
      !isFree(house) &&
      earlierPresentations(record, house).some(
        (presentation) =>
          (organisation ?? presentation.organisation) === presentation.organisation &&
          (maySee(record, organisation, house.mrn) ||
            Object.values(presentation.reference).some((value) => numberOf(value) === identifier)),
      ),
  );
  // A party is told that not all of what it lodged is presented, once it knows something.
  const isMissing =
    examined.length > 0 &&
    identified.some((house) => !isPresented(house) && isParty(record, organisation, house.mrn));
  return {
    ...counts,
    outcome: outcomeOf(counts),
    ...(locations.size === 1 && location !== undefined && { routingControlLocation: location }),
    complete: !hasEntered && !isMissing,
    houseConsignments: examined.map((house) => ({
      ...signalHead(record, house),
      state: stateOfRelease(house),
      ...routingOf({ routingControlLocation: house.decision?.routingControlLocation }),
    })),
  };
}

/** Whether somebody sees goods of a declaration: the authority, its parties, and whoever presented some of them. */
function maySee(record, organisation, mrn) {
  if (organisation === undefined) return true;
  const statuses = record.statuses[organisation];
  return isParty(record, organisation, mrn) || statuses.some(({ mrns = [] }) => mrns.includes(mrn));
}

function isParty(record, organisation, mrn) {
  const { declarant, representative } = record.declarations[mrn];
  return [declarant, representative].some((party) => party !== undefined && party === organisation);
}

/** The number of a document, or an identifier itself. */
function numberOf(reference) {
  return typeof reference === 'object' ? reference.documentNumber : reference;
}

function identifies(identifier, { mrn, content }) {
  return [
    mrn,
    content.transportDocumentHouseLevel.documentNumber,
    content.transportDocumentMasterLevel?.documentNumber,
    content.receptacleId,
    ...(content.containerId ?? []),
  ].includes(identifier);
}

function stateOfRelease(house) {
  if (!isPresented(house)) return 'NOT_PRESENTED';
  return house.decision?.routing ?? 'UNDECIDED';
}

function outcomeOf({ toEntry, toControl, undecided, notPresented }) {
  if (toControl > 0) return 'TO_CONTROL';
  if (undecided > 0) return 'UNDECIDED';
  if (notPresented > 0) return 'NOT_PRESENTED';
  return toEntry > 0 ? 'TO_ENTRY' : 'UNKNOWN';
}

/** The numbers of arrivals at each office of the first presentation. */
export function countArrivals(record) {
  const offices = {};
  for (const house of record.houses.filter(isPresented)) {
    const [{ office }] = house.presentedBy;
    offices[office] ??= { presented: 0, toControl: 0, toEntry: 0, undecided: 0 };
    offices[office].presented++;
    const names = { TO_CONTROL: 'toControl', TO_ENTRY: 'toEntry' };
    offices[office][names[house.decision?.routing] ?? 'undecided']++;
  }
  return offices;
}

/** The documents of presented goods that wait for a decision. */
export function undecidedArrivals(record) {
  return record.houses
    .filter((house) => isPresented(house) && house.decision === null)
    .map(houseKey)
    .sort();
}

/** The requests of an organisation whose reference reached a declaration. */
export function statusesOf(record, organisation, mrn) {
  return record.statuses[organisation].filter(({ mrns = [] }) => mrns.includes(mrn));
}

/** Finds a house consignment that is not withdrawn. */
export function findListed(record, mrn, document) {
  return listedHouses(record).find(
    (house) =>
      house.mrn === mrn && isSameDocument(house.content.transportDocumentHouseLevel, document),
  );
}
