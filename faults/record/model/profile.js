// Routing profiles: the first rule whose conditions hold decides.
import { store, UNDECIDED } from './decide.js';
import { isSameRouting, issueSignal, listedHouses, routingOf } from './record.js';

/** Stores a version, unless it equals the latest one. */
export function putProfile(record, name, profile) {
  record.profiles[name] ??= [];
  const versions = record.profiles[name];
  if (JSON.stringify(versions.at(-1)) !== JSON.stringify(profile)) versions.push(profile);
  return { name, version: versions.length };
}

/** Makes a version live; whether it exists. */
export function activateProfile(record, { name, version }) {
  if (record.profiles[name]?.[version - 1] === undefined) return false;
  record.live = { name, version };
  return true;
}

/** The live profile decides by the facts of now on what nobody else has decided. */
export function decideByFacts(record, house, { officer }) {
  const { current } = house;
  const isFree = current === null || current.origin === 'PROFILE' || house.decision === null;
  if (!isFree || waitsForPerson(house)) return;
  const found = findRule(record, house);
  const routing = routingOf(found?.rule ?? UNDECIDED);
  const live = record.live && { profile: record.live.name, profileVersion: record.live.version };
  if (isSameRouting(routing, routingOf(current ?? UNDECIDED))) return;
  store(record, house, routing, { ...officer, origin: 'PROFILE' }, found?.details ?? live ?? {});
}

/** Whether officers or engines have decided last; also where they took it back, no profile decides in their place. */
function waitsForPerson({ current }) {
  return ['OFFICER', 'ENGINE'].includes(current?.origin);
}

/** Applies the live profile to what is undecided; `undefined` if none is live. */
export function applyProfile(record, { officer }) {
  if (record.live === null) return undefined;
  let decided = 0;
  let signals = 0;
  for (const house of listedHouses(record)) {
    if (house.decision !== null || waitsForPerson(house)) continue;
    if (!decideByProfile(record, house, officer)) continue;
    decided++;
    signals += house.recipients.length;
    for (const organisation of house.recipients) issueSignal(record, house, organisation);
  }
  return { ...record.live, decided, signals };
}

function decideByProfile(record, house, officer) {
  const found = findRule(record, house);
  if (found === undefined) return false;
  store(record, house, routingOf(found.rule), { ...officer, origin: 'PROFILE' }, found.details);
  return true;
}

/** The rule of the live profile that decides on a house consignment, and what its decision says of it. */
function findRule(record, house) {
  if (record.live === null) return undefined;
  const { name, version } = record.live;
  const { rules } = record.profiles[name][version - 1];
  const index = rules.findIndex((rule) => holds(rule, record.declarations[house.mrn], house));
  if (index < 0) return undefined;
  return {
    rule: rules[index],
    details: { profile: name, profileVersion: version, profileRule: index + 1 },
  };
}

function holds({ when = {}, share = 1 }, declaration, { content }) {
  // Other shares depend on the id of the consignment, which the service makes.
  if (share === 0) return false;
  const { customsOfficeOfFirstEntry: offices, transportDocumentType: types } = when;
  const { harmonizedSystemChapter: chapters } = when;
  const subheadings = content.harmonizedSystemSubheadingCode ?? [];
  return (
    (offices === undefined || offices.includes(declaration.customsOfficeOfFirstEntry)) &&
    (types === undefined || types.includes(content.transportDocumentHouseLevel.type)) &&
    (chapters === undefined || subheadings.some((code) => chapters.includes(code.slice(0, 2))))
  );
}
