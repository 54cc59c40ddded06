// The consignment of a declaration: its parties, countries, terms and transport.
import { Type } from 'typebox';
import { definePattern } from '../patterns.js';
import { Country, Strict, TextUpTo } from './members.js';

const Address = Strict(
  { StreetAndNumber: TextUpTo(70, 'Street and number') },
  { $id: 'ConsignmentPartyAddress', description: 'Address' },
);

const ConsignmentParty = Strict(
  {
    Name: TextUpTo(70, 'Name of the party'),
    Address: Type.Optional(Address),
  },
  { $id: 'ConsignmentParty', description: 'The consignor or the consignee' },
);

const CustomsOffice = Strict(
  {
    ReferenceNumber: Type.String({
      minLength: 6,
      maxLength: 8,
      pattern: definePattern(
        '^[A-Z]{2}[0-9]{4,6}$',
        'must be a country code and four to six digits',
      ),
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

const DeliveryTerms = Strict(
  {
    IncotermCode: Type.String({
      pattern: definePattern('^[A-Z]{3}$', 'must be three capital letters (Incoterms)'),
      description: 'Incoterms code',
      examples: ['DAP'],
    }),
    Location: Type.Optional(TextUpTo(35, 'Location that the code refers to')),
  },
  { $id: 'DeliveryTerms', description: 'Terms of delivery' },
);

const Transport = Strict(
  {
    ModeOfTransport: Type.Integer({ description: 'Mode of transport at the border' }),
    ActiveBorderTransportMeans: Type.Optional(BorderTransportMeans),
    PassiveBorderTransportMeans: Type.Optional(BorderTransportMeans),
  },
  { $id: 'ConsignmentTransport', description: 'Transport at the border' },
);

/** The consignment of a declaration. */
export const Consignment = Strict(
  {
    Consignor: ConsignmentParty,
    Consignee: ConsignmentParty,
    ContainerIndicator: Type.Integer({
      enum: [0, 1],
      description: '`0`: not in a container; `1`: in a container',
    }),
    CustomsOfficeHandlingDeclaration: Type.Optional(CustomsOffice),
    CustomsOfficeHandlingExit: Type.Optional(CustomsOffice),
    CountryOfDispatch: Country('Where the goods were dispatched, for imports'),
    CountryOfDestination: Country('Where the goods go, for exports'),
    DeliveryTerms,
    Transport,
  },
  { $id: 'DeclarationConsignment', description: 'The consignment of a declaration' },
);
