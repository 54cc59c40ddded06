// The rules between the members of a house consignment, and between them and registers.
import { citedBefore, citedExport, citedSeller } from '../cited-documents.js';
import { modesThat } from '../modes.js';
import type { DocumentState, Registers } from '../registers.js';
import type { HouseConsignmentMessage, PreviousDocument } from '../schema/house-consignment.js';
import { houseRule, itemRule, type Rule } from './rule.js';

type House = HouseConsignmentMessage['consignmentHouseLevel'];

/** The members of a previous document that name a customs declaration. */
const CUDE_MEMBERS = ['declarantNumber', 'declarationDate', 'sequenceNumber'] as const;

/** The procedures that a customs declaration belongs to. */
const CUDE_PROCEDURES = ['IMMEDIATE_RELEASE_IMPORT', 'CUSTOMS_DECLARATION', 'WAREHOUSE_RELEASE'];

/** The highest price of a piece with VOEC, in NOK. */
const MAX_VOEC_VALUE = 3000;

/** The forms of the identifiers of exports; others are of any form. */
const exportForms = new Map([
  ['AES', /^[A-Za-z0-9]{18}$/],
  ['EIDR', /^[0-9]{2}SE[A-Za-z0-9]{11}AE[A-Za-z0-9]$/],
]);

const procedureOf = ({ importProcedure: { importProcedure } = {} }: House) => importProcedure;
const outgoingOf = ({ importProcedure: { outgoingProcedure } = {} }: House) => outgoingProcedure;
const isFilled = (list: readonly unknown[] = []) => list.length > 0;

/** What the registers say of a previous document of a type; undefined if it is none that is whole. */
function stateOf(
  type: 'CUDE' | 'N820',
  document: PreviousDocument,
  registers: Registers,
): DocumentState | undefined {
  if (document.typeOfReference !== type) return undefined;
  const cited = citedBefore(document);
  return cited && registers.documentState(cited);
}

/** What the register of customs declarations says of a previous document. */
export const cudeState = (document: PreviousDocument, registers: Registers) =>
  stateOf('CUDE', document, registers);

/** What the register of transits says of a previous document. */
export const transitState = (document: PreviousDocument, registers: Registers) =>
  stateOf('N820', document, registers);

/** Whether a document that must be in a register may not be used. */
const isRefused = (state: DocumentState) => state === 'INVALID' || state === 'MISSING';

const connections: readonly Rule[] = [
  houseRule({
    id: 'receptacle-and-master',
    path: 'receptacleIdentificationNumber',
    text: 'must not be given together with consignmentMasterLevel',
    code: 'INCOMPATIBLE',
    isBroken: ({ receptacleIdentificationNumber: receptacle, consignmentMasterLevel: master }) =>
      receptacle !== undefined && master !== undefined,
  }),
  houseRule({
    id: 'direct-and-other',
    path: 'directConsignment',
    text: 'must not be true together with consignmentMasterLevel or receptacleIdentificationNumber',
    code: 'INCOMPATIBLE',
    isBroken: ({
      directConsignment,
      receptacleIdentificationNumber: receptacle,
      consignmentMasterLevel: master,
    }) => directConsignment === true && (receptacle !== undefined || master !== undefined),
  }),
  houseRule({
    id: 'direct-without-transport',
    path: 'transportLevel',
    text: 'must be given if directConsignment is true',
    code: 'INCOMPATIBLE',
    isBroken: ({ directConsignment, transportLevel }) =>
      directConsignment === true && transportLevel === undefined,
  }),
  houseRule({
    id: 'transport-without-direct',
    path: 'directConsignment',
    text: 'must be true if transportLevel is given',
    code: 'INCOMPATIBLE',
    isBroken: ({ directConsignment, transportLevel }) =>
      directConsignment !== true && transportLevel !== undefined,
  }),
];

const documents: readonly Rule[] = [
  houseRule({
    id: 'documents-without-procedure',
    path: 'importProcedure.importProcedure',
    text: 'importProcedure is required when any consignmentHouseLevel.previousDocuments[] is provided',
    code: 'REQUIRED',
    isBroken: (house) => isFilled(house.previousDocuments) && procedureOf(house) === undefined,
  }),
  houseRule({
    id: 'one-cude',
    path: 'previousDocuments',
    text: 'PreviousDocuments can only contain one document of type CUDE',
    code: 'INCOMPATIBLE',
    isBroken: ({ previousDocuments = [] }) =>
      previousDocuments.filter(({ typeOfReference: type }) => type === 'CUDE').length > 1,
  }),
  ...CUDE_MEMBERS.map((member) =>
    itemRule('previousDocuments', {
      id: `cude.${member}`,
      member,
      text: 'Required field when typeReference is CUDE',
      code: 'REQUIRED',
      isBroken: (document) => document.typeOfReference === 'CUDE' && document[member] === undefined,
    }),
  ),
  itemRule('previousDocuments', {
    id: 'reference-number',
    member: 'referenceNumber',
    text: 'Field should have value unless typeOfReference is CUDE',
    code: 'REQUIRED',
    // A goods number without its number is accepted and incomplete.
    isBroken: ({ typeOfReference: type, referenceNumber }) =>
      type !== 'CUDE' && type !== 'GONU' && referenceNumber === undefined,
  }),
  ...CUDE_MEMBERS.map((member) =>
    itemRule('previousDocuments', {
      id: `not-for-procedure.${member}`,
      member,
      text: 'Field cannot be filled out when consignmentHouseLevel.importProcedure is {procedure}',
      code: 'INCOMPATIBLE',
      isBroken: (document, { house }) => {
        const procedure = procedureOf(house);
        if (procedure === undefined || CUDE_PROCEDURES.includes(procedure)) return false;
        return document[member] !== undefined && { procedure };
      },
    }),
  ),
  itemRule('previousDocuments', {
    id: 'repeated-reference',
    member: 'referenceNumber',
    text: 'Duplicate PreviousDocuments with referenceNumber: {number}',
    code: 'REPEATED',
    isBroken: ({ referenceNumber: number }, { house: { previousDocuments = [] }, index }) =>
      number !== undefined &&
      previousDocuments.findIndex(({ referenceNumber }) => referenceNumber === number) < index && {
        number,
      },
  }),
  itemRule('previousDocuments', {
    id: 'transit-and-export',
    member: 'typeOfReference',
    text: 'Field cannot have value N820 out when consignmentHouseLevel.outgoingProcedure is EXP',
    code: 'INCOMPATIBLE',
    isBroken: ({ typeOfReference }, { house }) =>
      typeOfReference === 'N820' && outgoingOf(house) === 'EXP',
  }),
  itemRule('previousDocuments', {
    id: 'cude-not-valid',
    text: 'Customs declaration is not valid',
    code: 'NOT_VERIFIED',
    isBroken: (document, { registers }) => cudeState(document, registers) === 'INVALID',
  }),
  itemRule('previousDocuments', {
    id: 'transit-not-valid',
    member: 'referenceNumber',
    text: 'Document with typeOfReference N820 contains a referenceNumber in wrong state',
    code: 'NOT_VERIFIED',
    isBroken: (document, { registers }) => transitState(document, registers) === 'INVALID',
  }),
];

const exports: readonly Rule[] = [
  houseRule({
    id: 'export-and-transit',
    path: 'exportFromEU',
    text: 'Field cannot have values when consignmentHouseLevel.importProcedure.outgoingProcedure is TRA',
    code: 'INCOMPATIBLE',
    isBroken: (house) => isFilled(house.exportFromEU) && outgoingOf(house) === 'TRA',
  }),
  itemRule('exportFromEU', {
    id: 'repeated-export',
    member: 'exportId',
    text: 'Duplicate ExportFromEU with exportId: {id}',
    code: 'REPEATED',
    isBroken: ({ exportId: id }, { house: { exportFromEU = [] }, index }) =>
      exportFromEU.findIndex(({ exportId }) => exportId === id) < index && { id },
  }),
  itemRule('exportFromEU', {
    id: 'export-form',
    member: 'exportId',
    text: 'Invalid MRN format for export of type {type}',
    code: 'FORMAT',
    isBroken: ({ exportId, typeOfExport: type }) =>
      exportForms.get(type)?.test(exportId) === false && { type },
  }),
  itemRule('exportFromEU', {
    id: 'export-not-valid',
    modes: modesThat(({ exportsLookedUp }) => exportsLookedUp.length > 0),
    member: 'exportId',
    text: 'Export of type {type} is not found or has wrong status in AES.',
    code: 'NOT_VERIFIED',
    isBroken: (one, { mode, registers }) => {
      const cited = citedExport(one, mode);
      if (cited === undefined || !isRefused(registers.documentState(cited))) return false;
      return { type: one.typeOfExport };
    },
  }),
];

const goodsItems: readonly Rule[] = [
  houseRule({
    id: 'goods-items-without-voec',
    path: 'goodsItem',
    text: 'If consignmentHouseLevel.importProcedure.importProcedure is not IMMEDIATE_RELEASE_VOEC, it should not be provided.',
    code: 'INCOMPATIBLE',
    isBroken: (house) =>
      isFilled(house.goodsItem) && procedureOf(house) !== 'IMMEDIATE_RELEASE_VOEC',
  }),
  itemRule('goodsItem', {
    id: 'voec-value',
    member: 'itemAmountInvoicedVOEC.value',
    text: 'When item value exceeds NOK 3000, a regular import declaration has to be submitted',
    code: 'INCOMPATIBLE',
    isBroken: ({ itemAmountInvoicedVOEC: { value } }) => value > MAX_VOEC_VALUE,
  }),
  itemRule('goodsItem', {
    id: 'voec-number-not-valid',
    member: 'additionalFiscalReferences.vatIdentificationNumber',
    text: 'Unknown vatIdentificationNumber',
    code: 'NOT_VERIFIED',
    isBroken: (item, { registers }) => isRefused(registers.documentState(citedSeller(item))),
  }),
];

/** The rules of house consignments that are refused by status. */
export const houseConsignmentRules: readonly Rule[] = [
  ...connections,
  ...documents,
  ...exports,
  ...goodsItems,
];
