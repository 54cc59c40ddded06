// Registering and withdrawing declarations.
import { store, UNDECIDED } from './decide.js';
import { isKeptForParties, keepChanging, keepWithdrawn, takeOver } from './kept-controls.js';
import { decideByFacts } from './profile.js';
import {
  addEvent,
  documentKey,
  housesOf,
  isPresented,
  isSameRouting,
  pickMembers,
  routingOf,
} from './record.js';

/** Members of a declaration and of a house consignment that are facts of profiles. */
const DECLARATION_FACTS = ['customsOfficeOfFirstEntry', 'activeBorderTransportMeans'];
const HOUSE_FACTS = ['receptacleId', 'harmonizedSystemSubheadingCode'];

/** Members by which goods of a declaration, or a house consignment, may be the same goods as others. */
const PARTIES = ['declarant', 'representative'];
const COUPLINGS = ['transportDocumentMasterLevel', 'receptacleId'];

const REFUSED = (code) => ({ status: 'REFUSED', codes: [code] });
const NO_CHANGES = { added: 0, changed: 0, removed: 0, unchanged: 0 };
const CONDITION_NOT_MET = { status: 'CONDITION_NOT_MET' };

/** What was withdrawn meets no condition: a request that is sent again must not bring it back. */
function meets(record, mrn, condition) {
  if (condition === 'if-match') return record.declarations[mrn] !== undefined;
  return condition === undefined || !record.lodged.includes(mrn);
}

/** What was withdrawn comes back only with a newer version of its source. */
function isOutdated(version, kept, isWithdrawn) {
  if (version === undefined || kept === undefined) return false;
  return isWithdrawn ? version <= kept : version < kept;
}

/**
 * What is registered: a declaration, or one house consignment of it.
 *
 * @typedef {{ mrn: string, members?: object, houses: object[], isComplete: boolean }} Entry `members`: of the declaration;
 *   left out for a house consignment on a line of its own. `isComplete`: what it does not list is withdrawn
 */

/**
 * Registers entries at the same time: what they withdraw is gone before any of them is written.
 *
 * @param {Entry[]} entries no two of them about the same house consignment or the members of the same declaration
 * @param {{ officer: object, known: Set<string>, condition?: 'if-match' | 'if-none-match' }} context
 * @returns the result of each: status, and numbers of house consignments
 */
export function register(record, entries, context) {
  for (const entry of entries) keepLeaving(record, compare(record, entry, context));
  const written = entries.map((entry) => write(record, entry, context));
  for (const { members } of written) members?.();
  for (const { houses = [] } of written) for (const house of houses) takeOver(record, house);
  return written.map(({ result }) => result);
}

/** What an entry changes; or its result, if that is nothing. */
function compare(record, { mrn, members: given, houses, isComplete }, { condition }) {
  const existing = record.declarations[mrn];
  const kept = record.lastMembers[mrn]?.version;
  if (given !== undefined && isOutdated(given.version, kept, existing === undefined)) {
    return { result: { status: 'OUTDATED', houseConsignments: NO_CHANGES } };
  }
  const members = given && kept !== undefined ? { version: kept, ...given } : given;
  if (existing === undefined && members === undefined) {
    return { result: REFUSED('REFERENCE_NOT_FOUND') };
  }
  const before = housesOf(record, mrn);
  const incoming = houses.map((house) => splitDecision(house));
  const changedMembers =
    existing === undefined || members === undefined ? [] : changedNames(existing, members);
  const pairs = incoming.map((house) => ({ house, found: findHouse(before, house.content) }));
  const changes = pairs.flatMap(({ house, found }) => {
    if (found === undefined) return [];
    const changed = changedHouseMembers(found, house);
    return changed.length === 0 ? [] : [{ house, found, changed }];
  });
  const removed = isComplete
    ? before.filter((house) => !pairs.some(({ found }) => found === house))
    : [];
  const added = pairs.filter(({ found }) => found === undefined);
  const changesNothing = [changedMembers, added, changes, removed].every(
    ({ length }) => length === 0,
  );
  const isUnchanged = existing !== undefined && changesNothing;
  if (!isUnchanged && !meets(record, mrn, condition)) return { result: CONDITION_NOT_MET };
  const contradicts =
    (changedMembers.some((name) => name !== 'version') && before.some(isPresented)) ||
    changes.some(({ found }) => isPresented(found)) ||
    removed.some(isPresented);
  if (contradicts) return { result: REFUSED('PRESENTED') };
  const isNew = members === undefined ? added.length > 0 : existing === undefined;
  return {
    members,
    changedMembers,
    before,
    changes,
    removed,
    added,
    status: isNew ? 'REGISTERED' : isUnchanged ? 'UNCHANGED' : 'CHANGED',
  };
}

/** Keeps the controls of what is withdrawn, and of what had something else in common with others before. */
function keepLeaving(record, { changedMembers = [], before = [], changes = [], removed = [] }) {
  for (const house of removed) keepWithdrawn(record, house);
  const isMoved = (house) =>
    changes.some(
      ({ found, changed }) => found === house && changed.some((name) => COUPLINGS.includes(name)),
    );
  const changesParties = changedMembers.some((name) => PARTIES.includes(name));
  for (const house of before) {
    if (removed.includes(house)) continue;
    if (isMoved(house)) keepChanging(record, house, { onlyParties: false });
    else if (changesParties) keepChanging(record, house, { onlyParties: true });
  }
}

/**
 * Writes what an entry changes.
 *
 * @returns its result; the house consignments that are written; and what remains to be done for members that change, when all
 *   is written
 */
function write(record, entry, context) {
  const { mrn, houses } = entry;
  const compared = compare(record, entry, context);
  if (compared.result !== undefined) return compared;
  const { members, changedMembers, changes, removed, added, status } = compared;
  for (const house of removed) withdrawHouse(record, house, context);
  changeWithdrawn(record, mrn, members, context);
  if (members !== undefined) {
    record.declarations[mrn] = members;
    record.lastMembers[mrn] = members;
  }
  if (!record.lodged.includes(mrn)) record.lodged.push(mrn);
  for (const { house, found, changed } of changes)
    changeHouse(record, found, house, changed, context);
  const ofDeclaration = changedMembers.length > 0 ? housesOf(record, mrn) : [];
  for (const house of ofDeclaration) {
    addEvent(record, house, byOfficer('CHANGED', context, { declaration: changedMembers }));
  }
  const addedHouses = added.map(({ house }) => addHouse(record, mrn, house, context));

  const counts = {
    added: added.length,
    changed: changes.length,
    removed: removed.length,
    unchanged: houses.length - added.length - changes.length,
  };
  return {
    result: { status, houseConsignments: counts },
    houses: [...changes.map(({ found }) => found), ...addedHouses],
    members: () => changeMembers(record, changedMembers, ofDeclaration, context),
  };
}

/** What members of a declaration that change mean for its goods. */
function changeMembers(record, changedMembers, houses, context) {
  const hasNewParties = changedMembers.some((name) => PARTIES.includes(name));
  const hasNewFacts = changedMembers.some((name) => DECLARATION_FACTS.includes(name));
  for (const house of houses) {
    if (hasNewParties && isKeptForParties(record, house)) takeOver(record, house);
    if (!hasNewFacts) continue;
    decideByFacts(record, house, context);
    takeOver(record, house);
  }
}

/** Withdraws a declaration. */
export function withdraw(record, mrn, context) {
  if (record.declarations[mrn] === undefined) return { status: 'NOT_FOUND' };
  if (!meets(record, mrn, context.condition)) return CONDITION_NOT_MET;
  const houses = housesOf(record, mrn);
  if (houses.some(isPresented)) return REFUSED('PRESENTED');
  for (const house of houses) keepWithdrawn(record, house);
  for (const house of houses) withdrawHouse(record, house, context);
  delete record.declarations[mrn];
  return {
    status: 'WITHDRAWN',
    houseConsignments: { added: 0, changed: 0, removed: houses.length, unchanged: 0 },
  };
}

function splitDecision({ routing, routingControlLocation, ...content }) {
  return { content, registered: routingOf({ routing, routingControlLocation }) };
}

function findHouse(houses, { transportDocumentHouseLevel: document }) {
  return houses.find(
    ({ content }) => documentKey(content.transportDocumentHouseLevel) === documentKey(document),
  );
}

/** The names of members that differ. */
function changedNames(one, other) {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

function changedHouseMembers(house, { content, registered }) {
  return [
    ...changedNames(house.content, content),
    ...(isSameRouting(house.registered, registered) ? [] : ['routing']),
  ];
}

function changeHouse(record, house, { content, registered }, changed, context) {
  house.content = content;
  const isDecided = applyRegisteredRouting(record, house, registered, context);
  if (isDecided || changed.some((name) => HOUSE_FACTS.includes(name))) {
    decideByFacts(record, house, context);
  }
  addEvent(record, house, byOfficer('CHANGED', context, { members: changed }));
}

/**
 * A routing that a registration brings, or brings no more, is a decision; it takes effect unless somebody who stands
 * above has decided. Whether there is one.
 */
function applyRegisteredRouting(record, house, registered, { officer }) {
  const isSame = isSameRouting(house.registered, registered);
  house.registered = registered;
  const isTakenBack = registered.routing === undefined;
  if (isSame || (isTakenBack && house.current?.origin !== 'REGISTRATION')) return false;
  const routing = isTakenBack ? UNDECIDED : registered;
  store(record, house, routing, { ...officer, origin: 'REGISTRATION' });
  return true;
}

function addHouse(record, mrn, { content, registered }, context) {
  const withdrawn = findHouse(
    record.houses.filter((house) => house.mrn === mrn),
    content,
  );
  const house = withdrawn === undefined ? newHouse(record, mrn) : bringBack(withdrawn);
  house.content = content;
  house.registeredAt = record.step;
  addEvent(
    record,
    house,
    byOfficer(withdrawn === undefined ? 'PRE_NOTIFIED' : 'RETURNED', context),
  );
  applyRegisteredRouting(record, house, registered, context);
  decideByFacts(record, house, context);
  return house;
}

/** What changes while a house consignment is withdrawn is in its history if it returns, then or later. */
function changeWithdrawn(record, mrn, members, context) {
  const last = record.lastMembers[mrn];
  if (members === undefined || last === undefined) return;
  const declaration = changedNames(last, members);
  if (declaration.length === 0) return;
  const withdrawn = record.houses.filter((house) => house.mrn === mrn && !house.listed);
  for (const house of withdrawn) {
    const event = byOfficer('CHANGED', context, { declaration });
    house.meanwhile.push({ step: record.step, ...event });
  }
}

function newHouse(record, mrn) {
  const house = {
    number: record.houses.length,
    mrn,
    listed: true,
    decision: null,
    current: null,
    registered: {},
    decisions: 0,
    recipients: [],
    presentedBy: [],
    signals: [],
    events: [],
    meanwhile: [],
  };
  record.houses.push(house);
  return house;
}

function bringBack(house) {
  house.events.push(...house.meanwhile);
  return Object.assign(house, { listed: true, meanwhile: [] });
}

function withdrawHouse(record, house, context) {
  house.listed = false;
  const { transportDocumentHouseLevel } = house.content;
  addEvent(
    record,
    house,
    byOfficer('WITHDRAWN', context, { mrn: house.mrn, transportDocumentHouseLevel }),
  );
}

/** An event that a client of the authority has caused. */
function byOfficer(event, { officer: { organisation, client } }, details) {
  return { event, organisation, client, ...(details && { details: pickMembers(details) }) };
}
