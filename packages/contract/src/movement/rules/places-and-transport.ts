// The rules of places, equipment, and of what a transport says of itself.

import { UNLO_CODE } from '../../code-lists/unlo-codes.js';
import { isObject } from '../../is-object.js';
import { keysOf } from '../../keys-of.js';
import { movementLevels } from '../levels.js';
import {
  addFound,
  type Facts,
  type Found,
  houseRule,
  masterRule,
  type Rule,
  transportRule,
} from './rule.js';

const levelsWithPlaces = keysOf(movementLevels).filter((level) => level !== 'transport');

/** A rule of each place. */
function placeRule(
  rule: Pick<Rule, 'id' | 'text'> & { code: 'REQUIRED' | 'UNKNOWN_CODE' },
  isBroken: (place: Readonly<Record<string, unknown>>, facts: Facts) => boolean,
): Rule {
  return {
    ...rule,
    phase: 'status',
    levels: levelsWithPlaces,
    path: 'the unloCode of each place',
    find: (facts) => {
      const found: Found[] = [];
      for (const { path, value } of facts.membersOf(({ place }) => place === true)) {
        if (!isObject(value)) continue;
        addFound(found, isBroken(value, facts), { before: path, name: 'unloCode' });
      }
      return found;
    },
  };
}

/** Whether what is in containers has none: an absent list, or an empty one. */
const isWithoutContainers = ({
  containerIndicator,
  transportEquipment = [],
}: {
  containerIndicator: string;
  transportEquipment?: readonly unknown[];
}) => containerIndicator === '1' && transportEquipment.length === 0;

const equipment = {
  text: 'transportEquipment is required when containerIndicator is 1',
  code: 'REQUIRED',
} as const;

/** How long after its estimated arrival a transport can still be lodged, in milliseconds. */
const LATE_MS = 10 * 60_000;

/** The rules of places, equipment and transports. */
export const placeAndTransportRules: readonly Rule[] = [
  transportRule({
    id: 'customs-office',
    path: 'customsOfficeOfFirstEntry.referenceNumber',
    text: 'Must be a valid customs office',
    code: 'UNKNOWN_CODE',
    isBroken: ({ customsOfficeOfFirstEntry: { referenceNumber } }, { registers }) =>
      !registers.isCustomsOffice(referenceNumber),
  }),
  placeRule(
    { id: 'unlo-code', text: 'Invalid code. Expected valid UNLOCODE', code: 'UNKNOWN_CODE' },
    ({ unloCode }, { registers }) =>
      typeof unloCode === 'string' && !(UNLO_CODE.test(unloCode) && registers.isUnloCode(unloCode)),
  ),
  placeRule(
    {
      id: 'place',
      text: 'If location AND address is not provided, then unloCode is required',
      code: 'REQUIRED',
    },
    ({ unloCode, location, address }) =>
      unloCode === undefined && location === undefined && address === undefined,
  ),
  masterRule({
    ...equipment,
    id: 'equipment.master',
    path: 'consignmentMasterLevel.transportEquipment',
    isBroken: ({ consignmentMasterLevel }) => isWithoutContainers(consignmentMasterLevel),
  }),
  houseRule({
    ...equipment,
    id: 'equipment.house',
    path: 'transportEquipment',
    isBroken: isWithoutContainers,
  }),
  transportRule({
    id: 'operator',
    path: 'activeBorderTransportMeans.operator.name',
    text: 'must be two names with a space, comma or period between them',
    code: 'FORMAT',
    isBroken: ({ activeBorderTransportMeans: { operator } }) =>
      operator.name.split(/[\s,.]/).filter((name) => name !== '').length < 2,
  }),
  transportRule({
    id: 'passed',
    path: 'estimatedDateAndTimeOfArrival',
    text: 'estimatedDateAndTimeOfArrival has already passed',
    code: 'TIME_OUT_OF_RANGE',
    isBroken: ({ estimatedDateAndTimeOfArrival: estimated }, { now, replaces }) =>
      Date.parse(estimated) + LATE_MS < now.getTime() &&
      !(isObject(replaces) && replaces.estimatedDateAndTimeOfArrival === estimated),
  }),
];
