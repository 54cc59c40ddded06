// What queries of movement messages respond with: trees of weights and statuses, statuses of documents, and the entry status.
import { type Static, Type } from 'typebox';
import { keysOf } from '../keys-of.js';
import { Amount, Instant } from '../quantities.js';
import { incompleteReasonList, MovementMrn } from './messages.js';
import { Document } from './schema/parts.js';

/** The most house consignments of one response. */
export const MAX_QUERIED_CONSIGNMENTS = 50_000;

const status = (description: string) => Type.Enum(['SUCCESS', 'INCOMPLETE'], { description });
const houseStatus = status('`SUCCESS`: nothing is missing');
const masterStatus = status(
  '`INCOMPLETE` while it is not lodged, or one of its house consignments is incomplete',
);
const document = Document.properties;
const received = Type.Boolean({
  description: '`false`: the transport names it, and it is not lodged',
});

const relation = Type.Optional({
  ...MovementMrn,
  description:
    'If it hangs there by a relation, beside a coupling by documents or without one: the MRN of that relation',
});

const HouseInTree = Type.Object(
  {
    ...document,
    relation,
    weight: Type.Optional(Amount('Gross mass in kilograms; absent if it is not lodged')),
    status: status('`INCOMPLETE` while it is not lodged, or something is missing'),
  },
  { $id: 'HouseConsignmentInTree', description: 'A house consignment in a tree' },
);

const sumOfHouses = Amount('Gross mass of its house consignments in kilograms, each once');

/** A master consignment with its house consignments. */
export const MasterDescendants = Type.Object(
  {
    ...document,
    relation,
    weight: Type.Optional(Amount('Gross mass in kilograms; absent if it is not lodged')),
    received,
    sumOfWeightForHouseConsignments: sumOfHouses,
    houseConsignments: Type.Array(HouseInTree, { description: 'In the order of lodging' }),
  },
  { $id: 'MasterDescendants', description: 'A master consignment with its house consignments' },
);
export type MasterDescendants = Static<typeof MasterDescendants>;

/** A transport with all that it reaches. */
export const TransportDescendants = Type.Object(
  {
    sumOfWeightForMasterConsignments: Amount('Gross mass of what is lodged, in kilograms'),
    sumOfWeightForHouseConsignments: Amount(
      'Gross mass of all house consignments in kilograms, direct ones too; each counts once',
    ),
    masterConsignments: Type.Array(MasterDescendants, {
      description:
        'In the order in which the transport names them, then those that hang on it by relations alone',
    }),
    houseConsignments: Type.Optional(
      Type.Array(HouseInTree, {
        description:
          'Direct ones, in the order in which the transport names them, then those that hang on it by relations alone; absent without any',
      }),
    ),
  },
  { $id: 'TransportDescendants', description: 'A transport with all that it reaches' },
);
export type TransportDescendants = Static<typeof TransportDescendants>;

/** The status of a master consignment that a transport names. */
export const MasterDocumentStatus = Type.Object(
  { ...document, received, documentStatus: masterStatus },
  { $id: 'MasterDocumentStatus', description: 'The status of a master consignment' },
);
export type MasterDocumentStatus = Static<typeof MasterDocumentStatus>;

/** The status of a house consignment. */
export const HouseDocumentStatus = Type.Object(
  {
    ...document,
    received,
    documentStatus: houseStatus,
    incompleteDocumentationReasonList: Type.Optional({
      ...incompleteReasonList,
      description: 'Only with `INCOMPLETE`, and if it is lodged: what is missing',
    }),
  },
  { $id: 'HouseDocumentStatus', description: 'The status of a house consignment' },
);
export type HouseDocumentStatus = Static<typeof HouseDocumentStatus>;

/** Why goods may not be unloaded yet, in the order in which they are listed. */
export const entryReasons = {
  NOT_ARRIVED: 'the transport has not arrived',
  NOTHING_LODGED: 'no house consignment is lodged for it',
  DOCUMENT_NOT_LODGED: 'a document that it names is not lodged',
  INCOMPLETE: 'an undecided house consignment is incomplete',
  UNDECIDED: 'a house consignment is not decided, or its entry is pending',
  ENTRY_DENIED: 'a house consignment may not enter',
  TO_CONTROL: 'a house consignment is to be controlled at the border',
} as const;

/** Whether the goods of a transport may be unloaded. */
export const EntryStatus = Type.Object(
  {
    validEntry: Type.Boolean({
      description:
        '`true`: the goods may be unloaded; `false`: customs is asked first. A later decision can turn it',
    }),
    customsOfficeOfEntry: Type.Optional(
      Type.String({ description: 'Where the transport has arrived; absent before' }),
    ),
    timeOfEntry: Type.Optional(
      Instant('The later of arrival and last decision; only with `validEntry: true`'),
    ),
    mrn: MovementMrn,
    reasons: Type.Optional(
      Type.Array(Type.Enum(keysOf(entryReasons)), {
        description: `Only with \`validEntry: false\`, why: ${Object.entries(entryReasons)
          .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
          .join('; ')}`,
      }),
    ),
  },
  { $id: 'EntryStatus', description: 'Whether the goods of a transport may be unloaded' },
);
export type EntryStatus = Static<typeof EntryStatus>;

const exactly = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

/** The query by the document of a consignment. */
export const TransportDocumentQuery = Type.Object({
  documentNumber: exactly(70, 'Number of the transport document'),
  type: exactly(4, 'Type of the document, code list CL754'),
  carrierId: exactly(17, 'Number of the carrier that the message names'),
});
export type TransportDocumentQuery = Static<typeof TransportDocumentQuery>;

/** Longest identification of a receptacle that a message names. */
export const MAX_RECEPTACLE_LENGTH = 35;

/** A receptacle of mail, as it is in addresses. */
export const MovementReceptacleId = exactly(
  MAX_RECEPTACLE_LENGTH,
  'Identification of a receptacle of mail, as the house consignments name it',
);
