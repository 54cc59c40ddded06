// What a public client sends if its user has not filled a field, and the service refuses (decision 0283).
import type { MovementLevel } from '@landfall/contract';
import { type Changes, HOUSE, MASTER, MEANS } from './movement-messages.js';
import { houseForms, houseMessage } from './public-client.js';

/** Changes of a message by road, and the members that are refused. */
export const refusedForms: Readonly<
  Record<
    string,
    {
      level: MovementLevel;
      changes: Changes;
      fields: readonly string[];
      code: 'REQUIRED' | 'FORMAT';
    }
  >
> = {
  'an empty procedure': {
    level: 'house-consignment',
    changes: { [`${HOUSE}.importProcedure`]: { importProcedure: '' } },
    fields: [`${HOUSE}.importProcedure.importProcedure`],
    code: 'REQUIRED',
  },
  'a party without address': {
    level: 'house-consignment',
    changes: { [`${HOUSE}.consignee.address`]: undefined },
    fields: [`${HOUSE}.consignee.address`],
    code: 'REQUIRED',
  },
  'a code of goods without its leading zero': {
    level: 'house-consignment',
    changes: {
      [HOUSE]: {
        ...Object(houseMessage(houseForms['goods of an online shop']?.members)[HOUSE]),
        goodsItem: [{ commodityCodeVOEC: { harmonizedSystemSubheadingCode: '40900' } }],
      },
    },
    fields: [`${HOUSE}.goodsItem[0].commodityCodeVOEC.harmonizedSystemSubheadingCode`],
    code: 'FORMAT',
  },
  'an empty representative': {
    level: 'transport',
    changes: {
      representative: { name: '', identificationNumber: '', address: {}, communication: [] },
    },
    fields: ['name', 'identificationNumber', 'address.city', 'address.country'].map(
      (name) => `representative.${name}`,
    ),
    code: 'REQUIRED',
  },
  'no time of arrival, and an empty one': {
    level: 'transport',
    changes: { estimatedDateAndTimeOfArrival: undefined, scheduledDateAndTimeOfArrival: '' },
    fields: ['estimatedDateAndTimeOfArrival', 'scheduledDateAndTimeOfArrival'],
    code: 'REQUIRED',
  },
  'a driver without name and communication': {
    level: 'transport',
    changes: { [`${MEANS}.operator`]: { name: '', communication: [{}] } },
    fields: ['name', 'communication[0].identifier', 'communication[0].type'].map(
      (name) => `${MEANS}.operator.${name}`,
    ),
    code: 'REQUIRED',
  },
  'a master consignment without parties': {
    level: 'master-consignment',
    changes: { [`${MASTER}.consignor`]: undefined, [`${MASTER}.consignee`]: undefined },
    fields: [`${MASTER}.consignor`, `${MASTER}.consignee`],
    code: 'REQUIRED',
  },
  'a representative of a master consignment without communications': {
    level: 'master-consignment',
    changes: {
      representative: {
        name: 'Forwarder',
        identificationNumber: 'NO999999999',
        address: { city: 'Oslo', country: 'NO' },
        releasedConfirmation: [{ emailAddress: 'a@example.com' }],
      },
    },
    fields: ['representative.communication'],
    code: 'REQUIRED',
  },
};
