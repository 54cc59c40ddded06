// A transport document: what a consignment is known by between carrier, forwarder and customs.
import { type Static, Type } from 'typebox';
import { transportDocumentTypeCodes } from './code-lists/transport-document-types.js';

/**
 * Free text on one line that says something: no control characters, which no transport document carries and
 * no database text can hold (U+0000), and not blank.
 */
export const ONE_LINE_PATTERN = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$';

/** Number and CL754 type of a transport document. */
export const TransportDocument = Type.Object(
  {
    documentNumber: Type.String({
      minLength: 1,
      maxLength: 70,
      pattern: ONE_LINE_PATTERN,
      description: 'Number of the transport document',
      examples: ['HC001'],
    }),
    type: Type.Enum([...transportDocumentTypeCodes], {
      description: 'Type of the transport document, code list CL754',
      examples: ['N740'],
    }),
  },
  { description: 'A transport document' },
);
export type TransportDocument = Static<typeof TransportDocument>;
