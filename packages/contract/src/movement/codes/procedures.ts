// Procedures, types of export and reasons: national codes.
import { keysOf } from '../../keys-of.js';

/** Import procedures, and what each is. */
export const importProcedures = {
  IMMEDIATE_RELEASE_IMPORT: 'release for free circulation at the border',
  CUSTOMS_DECLARATION: 'a customs declaration that was lodged before',
  WAREHOUSE_RELEASE: 'release into a customs warehouse',
  TRANSIT_IMPORT: 'transit that began at the sender',
  TRANSIT_RELEASE: 'transit that begins at the border',
  IMMEDIATE_RELEASE_VOEC: 'goods of low value from a seller that is registered for VOEC',
  COLLECTIVE_RELEASE: 'collective clearance after unloading',
  DOCUMENTS_NOT_OBLIGED_RELEASE: 'documents, which need no declaration',
  ATA_CARNET: 'an ATA carnet',
  TIR_CARNET: 'a TIR carnet',
  NATO_FORM_302: 'military goods with form 302',
} as const;
export type ImportProcedure = keyof typeof importProcedures;

/** Outgoing procedures, and what each is. */
export const outgoingProcedures = {
  TRA: 'transit',
  EXP: 'export',
  TRE: 'export followed by transit',
} as const;

/** Types of an export from the EU, and what each is. */
export const exportTypes = {
  AES: 'a declaration in the Automated Export System',
  EUEIR: 'an entry in the records of the exporter, in the EU',
  EIDR: "an entry in the declarant's records, in Sweden",
} as const;
export type ExportType = keyof typeof exportTypes;

/** Why a house consignment is accepted and incomplete, in the order in which reasons are given. */
export const incompleteReasons = {
  INCOMPLETE_DOCUMENTATION: 'a procedure or its document is missing',
  INCOMPLETE_CUDE_DOCUMENTATION: 'the customs declaration is missing',
  INCOMPLETE_GONU_DOCUMENTATION: 'the goods number is missing',
  INCOMPLETE_TRA_DOCUMENTATION: 'the document of the transit is missing',
  INCOMPLETE_EXP_DOCUMENTATION: 'the export is missing',
  INCOMPLETE_VOEC_DOCUMENTATION: 'the goods items of VOEC are missing',
  CANNOT_VERIFY_CUDE_DOCUMENTATION: 'the customs declaration is not in the register',
  CANNOT_VERIFY_TRA_DOCUMENTATION: 'the transit is not in the register',
  INCOMPLETE_CUDE_VALIDATION: 'the register of customs declarations does not answer',
} as const;
export type IncompleteReason = keyof typeof incompleteReasons;

/** The codes of `incompleteReasons` in their order. */
export const incompleteReasonCodes: readonly IncompleteReason[] = keysOf(incompleteReasons);
