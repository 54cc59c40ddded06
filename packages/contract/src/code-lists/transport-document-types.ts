// Code list CL754: transport document types.
import { type Static, Type } from 'typebox';
import { keysOf } from '../keys-of.js';

/** The codes of CL754 with their meanings. */
export const transportDocumentTypes = {
  C624: 'Form 302 - movement of military goods',
  C625: 'Rhine manifest',
  C664: 'CN22 declaration (Article 237 of Regulation (ECC) No 2454/93)',
  C665: 'CN23 declaration (Article 237 of Regulation (ECC) No 2454/93)',
  N703: 'House waybill',
  N704: 'Master bill of lading',
  N705: 'Bill of lading',
  N714: 'House bill of lading',
  N720: 'Consignment note CIM',
  N722: 'Road list - SMGS',
  N730: 'Road consignment note',
  N740: 'Air waybill',
  N741: 'Master airwaybill',
  N750: 'Movement by post including parcel post',
  N760: 'Multimodal / combined transport document',
} as const;

/** A code of CL754. */
export const TransportDocumentType = Type.Enum(keysOf(transportDocumentTypes), {
  $id: 'TransportDocumentType',
  description: 'Type of a transport document, code list CL754',
  examples: ['N740'],
});
export type TransportDocumentType = Static<typeof TransportDocumentType>;

/** The codes of CL754 in their order. */
export const transportDocumentTypeCodes: readonly TransportDocumentType[] =
  keysOf(transportDocumentTypes);
