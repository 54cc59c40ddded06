// What a house consignment needs to be complete; without it, it is accepted and incomplete.
import type { ImportProcedure, IncompleteReason } from '../codes/procedures.js';
import { modesThat } from '../modes.js';
import type { HouseConsignmentMessage } from '../schema/house-consignment.js';
import { cudeState, transitState } from './house-consignment.js';
import { type Facts, neededItemRule, neededRule, type Rule } from './rule.js';

type House = HouseConsignmentMessage['consignmentHouseLevel'];

const DOCUMENTS = 'previousDocuments';
const PROCEDURE = 'importProcedure.importProcedure';
const OUTGOING = 'importProcedure.outgoingProcedure';

/** Procedures for which nobody asks how the goods go on. */
const WITHOUT_OUTGOING: readonly (string | undefined)[] = [
  'IMMEDIATE_RELEASE_VOEC',
  'ATA_CARNET',
  'TIR_CARNET',
  'NATO_FORM_302',
] satisfies ImportProcedure[];

const isIn = ({ importProcedure }: House, procedure: ImportProcedure) =>
  importProcedure?.importProcedure === procedure;

/** Whether the outgoing procedure is one of these. */
const goesOut = ({ importProcedure }: House, ...procedures: readonly string[]) =>
  procedures.includes(importProcedure?.outgoingProcedure ?? '');

const has = ({ previousDocuments = [] }: House, type: string) =>
  previousDocuments.some(({ typeOfReference }) => typeOfReference === type);

/** What stands in place of a customs declaration in a warehouse: a goods number, where and as long as one is taken. */
function goodsNumberOf(
  house: House,
  { mode: { gonuUntil }, now }: Facts,
): 'NONE' | 'UNNAMED' | 'WHOLE' {
  const isTaken = gonuUntil !== undefined && now.getTime() < Date.parse(`${gonuUntil}T00:00:00Z`);
  if (!isTaken || !has(house, 'GONU')) return 'NONE';
  const isWhole = house.previousDocuments?.some(
    ({ typeOfReference, referenceNumber }) =>
      typeOfReference === 'GONU' && referenceNumber !== undefined,
  );
  return isWhole === true ? 'WHOLE' : 'UNNAMED';
}

/** The modes that have a procedure. */
const modesWith = (procedure: ImportProcedure) =>
  modesThat(({ lacks }) => !lacks.includes(procedure));

/** The rule of a procedure that needs one type of document. */
const needsDocument = (procedure: ImportProcedure, type: string, code: IncompleteReason): Rule =>
  neededRule({
    id: `needs.${procedure}`,
    modes: modesWith(procedure),
    path: DOCUMENTS,
    text: `${procedure} needs a document of type ${type}`,
    code,
    isBroken: (house) => isIn(house, procedure) && !has(house, type),
  });

/** The rule of a procedure that needs an outgoing one. */
const needsOutgoing = (
  procedure: ImportProcedure,
  outgoing: string,
  code: IncompleteReason,
): Rule =>
  neededRule({
    id: `needs.${procedure}.${outgoing}`,
    modes: modesWith(procedure),
    path: OUTGOING,
    text: `${procedure} needs the outgoing procedure ${outgoing}`,
    code,
    isBroken: (house) => isIn(house, procedure) && !goesOut(house, outgoing),
  });

/** The rules, in no order: reasons are given in that of their list. */
export const completenessRules: readonly Rule[] = [
  neededRule({
    id: 'needs.procedure',
    path: PROCEDURE,
    text: 'an import procedure is needed',
    code: 'INCOMPLETE_DOCUMENTATION',
    isBroken: ({ importProcedure }) => importProcedure?.importProcedure === undefined,
  }),
  needsDocument('IMMEDIATE_RELEASE_IMPORT', 'CUDE', 'INCOMPLETE_CUDE_DOCUMENTATION'),
  needsDocument('CUSTOMS_DECLARATION', 'CUDE', 'INCOMPLETE_CUDE_DOCUMENTATION'),
  neededRule({
    id: 'needs.WAREHOUSE_RELEASE',
    path: DOCUMENTS,
    text: 'WAREHOUSE_RELEASE needs a document of type CUDE, or by road until 2027-03-01 of type GONU',
    code: 'INCOMPLETE_CUDE_DOCUMENTATION',
    isBroken: (house, facts) =>
      isIn(house, 'WAREHOUSE_RELEASE') &&
      !has(house, 'CUDE') &&
      goodsNumberOf(house, facts) === 'NONE',
  }),
  neededRule({
    id: 'needs.goods-number',
    modes: modesThat(({ gonuUntil }) => gonuUntil !== undefined),
    path: DOCUMENTS,
    text: 'a document of type GONU needs its referenceNumber',
    code: 'INCOMPLETE_GONU_DOCUMENTATION',
    isBroken: (house, facts) =>
      isIn(house, 'WAREHOUSE_RELEASE') &&
      !has(house, 'CUDE') &&
      goodsNumberOf(house, facts) === 'UNNAMED',
  }),
  needsDocument('TRANSIT_IMPORT', 'N820', 'INCOMPLETE_TRA_DOCUMENTATION'),
  needsOutgoing('TRANSIT_IMPORT', 'TRA', 'INCOMPLETE_TRA_DOCUMENTATION'),
  needsDocument('TRANSIT_RELEASE', 'RETR', 'INCOMPLETE_TRA_DOCUMENTATION'),
  needsOutgoing('TRANSIT_RELEASE', 'EXP', 'INCOMPLETE_EXP_DOCUMENTATION'),
  neededRule({
    id: 'needs.IMMEDIATE_RELEASE_VOEC',
    path: 'goodsItem',
    text: 'IMMEDIATE_RELEASE_VOEC needs goods items',
    code: 'INCOMPLETE_VOEC_DOCUMENTATION',
    isBroken: (house) =>
      isIn(house, 'IMMEDIATE_RELEASE_VOEC') && (house.goodsItem ?? []).length === 0,
  }),
  needsDocument('ATA_CARNET', 'N955', 'INCOMPLETE_DOCUMENTATION'),
  needsDocument('TIR_CARNET', 'N952', 'INCOMPLETE_DOCUMENTATION'),
  needsDocument('NATO_FORM_302', 'C624', 'INCOMPLETE_DOCUMENTATION'),
  neededRule({
    id: 'needs.export',
    path: 'exportFromEU',
    text: 'the outgoing procedures EXP and TRE need an export',
    code: 'INCOMPLETE_EXP_DOCUMENTATION',
    isBroken: (house) => goesOut(house, 'EXP', 'TRE') && (house.exportFromEU ?? []).length === 0,
  }),
  neededRule({
    id: 'needs.transit',
    path: DOCUMENTS,
    text: 'the outgoing procedures TRA and TRE need a document of type N820',
    code: 'INCOMPLETE_TRA_DOCUMENTATION',
    isBroken: (house) => goesOut(house, 'TRA', 'TRE') && !has(house, 'N820'),
  }),
  neededRule({
    id: 'needs.outgoing-procedure',
    modes: modesThat(({ asksForOutgoingProcedure }) => asksForOutgoingProcedure),
    path: OUTGOING,
    text: 'an outgoing procedure is needed before the border, unless hasOutgoingProcedure is false',
    code: 'INCOMPLETE_DOCUMENTATION',
    isBroken: ({ importProcedure = {} }) =>
      importProcedure.hasOutgoingProcedure !== false &&
      importProcedure.outgoingProcedure === undefined &&
      !WITHOUT_OUTGOING.includes(importProcedure.importProcedure),
  }),
  neededItemRule(DOCUMENTS, {
    id: 'cude-not-found',
    text: 'the customs declaration is not in the register',
    code: 'CANNOT_VERIFY_CUDE_DOCUMENTATION',
    isBroken: (document, { registers }) => cudeState(document, registers) === 'MISSING',
  }),
  neededItemRule(DOCUMENTS, {
    id: 'transit-not-found',
    member: 'referenceNumber',
    text: 'the transit is not in the register',
    code: 'CANNOT_VERIFY_TRA_DOCUMENTATION',
    isBroken: (document, { registers }) => transitState(document, registers) === 'MISSING',
  }),
  neededItemRule(DOCUMENTS, {
    id: 'cude-not-answered',
    text: 'the register of customs declarations does not answer',
    code: 'INCOMPLETE_CUDE_VALIDATION',
    isBroken: (document, { registers }) => cudeState(document, registers) === 'UNANSWERED',
  }),
];
