// The rules of keys: no two current messages of a mode have the same.
import { movementKey } from '../keys.js';
import type { MovementMessageName } from '../levels.js';
import {
  type Facts,
  houseRule,
  masterRule,
  type Rule,
  relationRule,
  transportRule,
} from './rule.js';

const isTaken = (level: MovementMessageName, { body, mode, registers }: Facts) =>
  registers.isKeyTaken(movementKey(level, body, mode.name, registers.submitter));

const ofDocument = {
  text: 'Transport document {number} of type {type} is already in use',
  code: 'DUPLICATE',
} as const;

/** The rules of keys. */
export const keyRules: readonly Rule[] = [
  transportRule({
    id: 'key.transport',
    path: 'activeBorderTransportMeans.identificationNumber',
    text: 'Transport {identification} is already in use',
    code: 'DUPLICATE',
    isBroken: ({ activeBorderTransportMeans: { identificationNumber: identification } }, facts) =>
      isTaken('transport', facts) && { identification },
  }),
  masterRule({
    ...ofDocument,
    id: 'key.master',
    path: 'consignmentMasterLevel.transportDocumentMasterLevel',
    isBroken: ({ consignmentMasterLevel: { transportDocumentMasterLevel: document } }, facts) =>
      isTaken('master-consignment', facts) && {
        number: document.documentNumber,
        type: document.type,
      },
  }),
  houseRule({
    ...ofDocument,
    id: 'key.house',
    path: 'transportDocumentHouseLevel',
    isBroken: ({ transportDocumentHouseLevel: { documentNumber: number, type } }, facts) =>
      isTaken('house-consignment', facts) && { number, type },
  }),
  relationRule({
    id: 'key.relation',
    path: 'childObjectReference',
    text: 'These two messages are related already',
    code: 'DUPLICATE',
    isBroken: (_, facts) => isTaken('relation', facts),
  }),
];
