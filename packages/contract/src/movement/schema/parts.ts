// The parts that several movement messages have.
//
// `form`, `codeList`, `digits`, `decimal`, `oneOrList` and `alsoNamed` are read by `read-message.ts` and by the rules.
import { Type } from 'typebox';
import type { CodeListName } from '../codes/code-lists.js';
import { type TextForm, textForms } from './text-forms.js';

const text = (form: TextForm) => (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, form, ...(description !== undefined && { description }) });

/** A number, the number of a document, or a code: one line. */
export const Line = text('line');

/** A text in which tabs and line breaks are allowed. */
export const Lines = text('lines');

/** A text of a form of its own, whose length the form says. */
export const Formed = (form: TextForm, description?: string) =>
  Type.String({
    form,
    ...textForms[form].schema,
    ...(description !== undefined && { description }),
  });

/** Longest code of a list whose codes have no length of their own. */
const MAX_CODE = 35;

/** A code of a list. */
export const Code = (codeList: CodeListName, maxLength = MAX_CODE) =>
  Type.String({ minLength: 1, maxLength, form: 'line', codeList });

/** A code of digits, which is also read as a number. */
export const DigitCode = (codeList: CodeListName, maxLength = MAX_CODE) =>
  Type.String({ minLength: 1, maxLength, form: 'line', codeList, digits: true });

/** A number that is not negative. */
export const Decimal = (whole: number, fraction: number, description?: string) =>
  Type.Number({
    minimum: 0,
    decimal: { whole, fraction },
    ...(description !== undefined && { description }),
  });

/** A country. */
const Country = Type.String({ minLength: 1, maxLength: 2, form: 'line', country: true });

const address = {
  city: Lines(35),
  country: Country,
  subDivision: Type.Optional(Lines(35)),
  streetLine: Type.Optional(Lines(70)),
  streetAdditionalLine: Type.Optional(Lines(70)),
  number: Type.Optional(Lines(35)),
  poBox: Type.Optional(Lines(70)),
};

export const Address = Type.Object(
  { ...address, postcode: Type.Optional(Lines(17)) },
  { $id: 'MovementAddress', description: 'An address' },
);

const PartyAddress = Type.Object(
  { ...address, postcode: Lines(17) },
  {
    $id: 'MovementPartyAddress',
    description: 'The address of a consignor or consignee, with a street or a post office box',
    streetOrBox: true,
  },
);

const MAX_COMMUNICATIONS = 9;

/** Where somebody can be reached. */
export const Communication = ({ minItems = 0 } = {}) =>
  Type.Array(
    Type.Object(
      { identifier: Line(512), type: Code('CL707') },
      { $id: 'MovementCommunication', description: 'An electronic address or a telephone number' },
    ),
    { minItems, maxItems: MAX_COMMUNICATIONS },
  );

export const Representative = Type.Object(
  {
    name: Lines(70),
    identificationNumber: Line(17),
    address: Address,
    communication: Communication(),
  },
  { $id: 'MovementRepresentative', description: 'Who acts for the one who lodges' },
);

/** A consignor or a consignee. */
export const Party = Type.Object(
  {
    name: Lines(70),
    identificationNumber: Type.Optional(Line(17)),
    typeOfPerson: DigitCode('CL729'),
    address: PartyAddress,
    communication: Type.Optional(Communication()),
  },
  { $id: 'MovementParty', description: 'A consignor or a consignee' },
);

/** A transport document. */
export const Document = Type.Object(
  { documentNumber: Line(70), type: Code('CL754', 4) },
  { $id: 'MovementDocument', description: 'A transport document' },
);

/** A place. */
export const Place = Type.Object(
  {
    location: Type.Optional(Lines(35)),
    unloCode: Type.Optional(Line(17, 'UN/LOCODE, CL144')),
    address: Type.Optional(
      Type.Object(
        { country: Country },
        { $id: 'MovementPlaceAddress', description: 'The country' },
      ),
    ),
  },
  { $id: 'MovementPlace', description: 'A place', place: true },
);

/** Maximum number of pieces of equipment. */
const MAX_EQUIPMENT = 99;

/** Containers and trailers. */
export const TransportEquipment = Type.Array(
  Type.Object(
    {
      containerSizeAndType: Code('CL710', 2),
      containerPackedStatus: Code('CL709'),
      containerSupplierType: Code('CL711'),
      containerIdentificationNumber: Line(17, 'Also the plate of a trailer'),
    },
    { $id: 'MovementEquipment', description: 'A container or a trailer' },
  ),
  { maxItems: MAX_EQUIPMENT },
);

/** An instant in UTC, to the second. */
export const UtcInstant = (description?: string) => Formed('instant', description);

/** What every message begins with. */
export const common = {
  documentIssueDate: UtcInstant(),
  representative: Type.Optional(Representative),
};

/** Maximum number of documents or receptacles that one message names. */
export const MAX_REFERENCES = 9999;
