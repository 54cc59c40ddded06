// A control that an officer or an engine has decided outlasts the record of the goods: it is kept when they are withdrawn
// or replaced, and taken over by what is registered of the same goods afterwards. Decision 0287.
import { replaces, store } from './decide.js';
import { documentKey } from './record.js';

/** Of two decisions on the same goods, the stricter one holds: control, then the earlier place of it, then an officer's. */
const STRICTNESS = [
  { routing: 'UNDECIDED' },
  { routing: 'TO_ENTRY' },
  { routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' },
  { routing: 'TO_CONTROL' },
  { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' },
];
const PERSONS_AND_ENGINES = ['ENGINE', 'OFFICER'];

/** Keeps the control of goods that are about to be withdrawn, for all that they have in common with others, and had before. */
export function keepWithdrawn(record, house) {
  const control = controlOf(house);
  if (control === undefined) return;
  const place = `${control.origin} ${control.routingControlLocation ?? ''}`;
  const earlier = Object.entries(record.kept).filter(([, kept]) => kept.place === currentOf(house));
  for (const [key, { common }] of earlier) {
    delete record.kept[key];
    keep(record, house, common, place);
  }
  for (const common of commonOf(record, house)) keep(record, house, common, place);
}

/** Keeps the control of goods that stay, and are about to have something else in common with others: parties, or all of it. */
export function keepChanging(record, house, { onlyParties }) {
  if (controlOf(house) === undefined) return;
  for (const common of commonOf(record, house)) {
    if (!onlyParties || isParty(common)) keep(record, house, common, currentOf(house));
  }
}

const isParty = ({ as }) => as === 'DECLARANT' || as === 'REPRESENTATIVE';

/** Controls of one place and one kind of decider are kept once: the one that was decided later. */
function keep(record, house, common, place) {
  const document = documentKey(house.content.transportDocumentHouseLevel);
  const key = [document, common.as, common.what, place].join(' | ');
  const other = record.kept[key] && controlOf(record.houses[record.kept[key].house]);
  if (other !== undefined && other.decidedAt > controlOf(house).decidedAt) return;
  record.kept[key] = { document, common, place, house: house.number };
}

/** What was kept of goods that are current is told apart by these. */
const currentOf = ({ number }) => `goods ${number}`;

/** What a house consignment has by which others of its document are the same goods. */
function commonOf(record, { mrn, content }) {
  const { declarant, representative } = record.declarations[mrn];
  const { transportDocumentMasterLevel: master, receptacleId } = content;
  return [
    { as: 'DECLARANT', what: declarant },
    ...(representative === undefined || representative === declarant
      ? []
      : [{ as: 'REPRESENTATIVE', what: representative }]),
    ...(master === undefined ? [] : [{ as: 'MASTER', what: documentKey(master) }]),
    ...(receptacleId === undefined ? [] : [{ as: 'RECEPTACLE', what: receptacleId }]),
  ];
}

/** In which role somebody is a party does not matter. */
function isSameThing(one, other) {
  return one.what === other.what && (one.as === other.as || (isParty(one) && isParty(other)));
}

/** What was kept of goods with which a house consignment has something in common. */
function keptFor(record, house) {
  const document = documentKey(house.content.transportDocumentHouseLevel);
  const own = commonOf(record, house);
  return Object.values(record.kept).filter(
    (kept) => kept.document === document && own.some((each) => isSameThing(each, kept.common)),
  );
}

/** Whether something was kept of goods with which a house consignment has a party in common. */
export function isKeptForParties(record, house) {
  return keptFor(record, house).some(({ common }) => isParty(common));
}

/** Goods that were written take over the strictest control that was kept for them; of equally strict ones, the later. */
export function takeOver(record, house) {
  const [taken] = keptFor(record, house)
    .filter(({ common, house: number }) => isGone(record, record.houses[number], common))
    .map(({ house: number }) => record.houses[number])
    .filter((other) => other !== house && bindsGoods(controlOf(other), house))
    .map((other) => takenFrom(other))
    .sort(
      (one, other) =>
        strictness(other) - strictness(one) ||
        other.decidedAt - one.decidedAt ||
        (one.takenFrom < other.takenFrom ? -1 : 1),
    );
  if (taken === undefined) return;
  const { takenFrom: first, decidedAt, ...control } = taken;
  store(record, house, control, control, {}, { takenFrom: first, decidedAt });
}

/** The time in the reason of what was taken over, which the model does not know. */
export const TIME = '<time>';

/** A control as it is taken over: however often that is done, its reason names the goods on which it was decided. */
function takenFrom({ mrn, current: { number, ...control } }) {
  if (control.takenFrom !== undefined) return control;
  const reason = `Taken over from ${mrn}, decided at ${TIME}`;
  return {
    ...control,
    takenFrom: mrn,
    reason: control.reason === undefined ? reason : `${reason}: ${control.reason}`,
  };
}

/** Whether goods are withdrawn, or have something no more: what still has it is another consignment. */
function isGone(record, house, common) {
  return !house.listed || !commonOf(record, house).some((each) => isSameThing(each, common));
}

/** The control of goods that an officer or an engine has decided; `undefined` if there is none. */
function controlOf({ current }) {
  return current?.routing === 'TO_CONTROL' && PERSONS_AND_ENGINES.includes(current.origin)
    ? current
    : undefined;
}

/** Whether a control is above what was decided on other goods, and was not decided before it. */
function bindsGoods(control, { current, officerDecidedAt }) {
  if (control === undefined || !replaces(control.origin, current)) return false;
  if (!PERSONS_AND_ENGINES.includes(current?.origin)) return true;
  if (strictness(control) <= strictness(current)) return false;
  // An engine has to have seen an officer's control that it releases: it counts in the place of an officer only.
  const later = control.origin === 'ENGINE' ? [current.decidedAt] : [];
  return [...later, officerDecidedAt ?? -1].every((at) => at < control.decidedAt);
}

function strictness(decision) {
  const { routing, routingControlLocation: location, origin } = decision;
  const place = STRICTNESS.findIndex(
    (each) => each.routing === routing && each.routingControlLocation === location,
  );
  return place * 2 + PERSONS_AND_ENGINES.indexOf(origin);
}
