// The consignment of a declaration: who sends what to whom, from where, how. Goods-item stream, section 2.
import { Type } from 'typebox';
import { Country, Strict, TextUpTo } from './members.js';
import { DECLARATION_OFFICE_PATTERN, INCOTERM_PATTERN } from './patterns.js';

const ConsignmentParty = Strict(
  {
    Name: TextUpTo(70, 'Name of the party'),
    Address: Type.Optional(
      Strict({ StreetAndNumber: TextUpTo(70, 'Street and number') }, { description: 'Address' }),
    ),
  },
  { $id: 'ConsignmentParty', description: 'Who dispatches or receives the goods' },
);

const CustomsOffice = Strict(
  {
    ReferenceNumber: Type.String({
      minLength: 6,
      maxLength: 8,
      pattern: DECLARATION_OFFICE_PATTERN,
      description: 'Reference number of the office',
      examples: ['NO351001'],
    }),
  },
  { $id: 'DeclarationCustomsOffice', description: 'A customs office' },
);

const BorderTransportMeans = Strict(
  { Nationality: Country('Country of registration') },
  { $id: 'BorderTransportMeans', description: 'A means of transport at the border' },
);

/** The consignment of a declaration. */
export const Consignment = Strict(
  {
    Consignor: ConsignmentParty,
    Consignee: ConsignmentParty,
    ContainerIndicator: Type.Integer({
      enum: [0, 1],
      description: '`0`: not a container; `1`: container',
    }),
    CustomsOfficeHandlingDeclaration: Type.Optional(CustomsOffice),
    CustomsOfficeHandlingExit: Type.Optional(CustomsOffice),
    CountryOfDispatch: Country('Where the goods were dispatched, for imports'),
    CountryOfDestination: Country('Where the goods go, for exports'),
    DeliveryTerms: Strict(
      {
        IncotermCode: Type.String({
          pattern: INCOTERM_PATTERN,
          description: 'Incoterms code',
          examples: ['DAP'],
        }),
        Location: Type.Optional(TextUpTo(35, 'Location that the code refers to')),
      },
      { description: 'Terms of delivery' },
    ),
    Transport: Strict(
      {
        ModeOfTransport: Type.Integer({ description: 'Mode of transport at the border' }),
        ActiveBorderTransportMeans: Type.Optional(BorderTransportMeans),
        PassiveBorderTransportMeans: Type.Optional(BorderTransportMeans),
      },
      { description: 'How the goods cross the border' },
    ),
  },
  { $id: 'DeclarationConsignment', description: 'The consignment of a declaration' },
);
