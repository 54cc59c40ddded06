// Transport documents, by which carriers, forwarders and customs identify a consignment.
import { type Static, Type } from 'typebox';
import { TransportDocumentType } from './code-lists/transport-document-types.js';
import { Identifier } from './patterns.js';

/** A transport document: its number, and its type of CL754. */
export const TransportDocument = Type.Object(
  {
    documentNumber: Identifier(
      70,
      'Number of the transport document. Capitals, blanks and how accents are encoded do not matter: `HC 001` and `hc001` are one document. It is given back as it was registered',
      ['HC001'],
    ),
    type: TransportDocumentType,
  },
  { $id: 'TransportDocument', description: 'A transport document' },
);
export type TransportDocument = Static<typeof TransportDocument>;
