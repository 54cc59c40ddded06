// The declaration that a goods item belongs to: its dates, kind, references and parties.
import { Type } from 'typebox';
import { definePattern } from '../patterns.js';
import { Consignment } from './consignment.js';
import { MAX_LIST_ITEMS, RealDate, Strict, TextUpTo } from './members.js';

const party = {
  Name: TextUpTo(70, 'Name of the party'),
  IdentificationNumber: Type.String({
    pattern: definePattern(
      '^[A-Z]{2}[A-Za-z0-9]{0,15}$',
      'must be a country code and up to fifteen letters or digits',
    ),
    description: 'Such as an EORI number; national numbers are prefixed by the country code NO',
    examples: ['NO974761076'],
  }),
  IdentificationType: Type.Enum(['LEGAL_PERSON', 'NATURAL_PERSON', 'TOLL_REGISTERED'], {
    description:
      '`LEGAL_PERSON`: organisation number; `NATURAL_PERSON`: national identity number or D-number; `TOLL_REGISTERED`: customs identity number',
  }),
};

const Party = Strict(party, { $id: 'DeclarationParty', description: 'A party of a declaration' });

const RepresentativeParty = Strict(
  {
    ...party,
    Status: Type.Integer({
      enum: [2, 3],
      description: '`2`: direct representation; `3`: indirect representation',
    }),
  },
  { $id: 'RepresentativeParty', description: 'The representative of the declarant' },
);

const Parties = Strict(
  {
    Representative: RepresentativeParty,
    Importer: Type.Optional(Party),
    Exporter: Type.Optional(Party),
  },
  { $id: 'DeclarationParties', description: 'The representative, the importer and the exporter' },
);

const AdditionalReference = Strict(
  {
    ReferenceNumber: TextUpTo(70, 'The reference'),
    Type: Type.Enum(['1LSN', '2CPD', '2CPL', '2COD', '2COL'], {
      description:
        '`1LSN`: location and sequence number of an accepted declaration; of a correction `2CPD`, `2COD`: id of the previous and of the original declaration, `2CPL`, `2COL`: location and sequence number of these',
    }),
  },
  { $id: 'AdditionalReference', description: 'A reference of the declaration' },
);

/** The declaration that a goods item belongs to. */
export const Declaration = Strict(
  {
    DeclarationDate: RealDate('When the declaration was registered'),
    DateOfAcceptance: RealDate('When the declaration was processed and accepted'),
    DeclarationDirection: Type.Enum(['I', 'O'], {
      description: '`I`: import into Norway; `O`: export out of Norway',
    }),
    DeclarationType: Type.Optional(
      Type.Enum(['IM', 'EX'], {
        description: '`IM`: import into the EEA from outside; `EX`: export from the EEA to outside',
      }),
    ),
    DeclarationCategory: Type.Enum(['CO', 'OD', 'SD'], {
      description:
        '`CO`: correction, a new declaration in place of a previous one; `OD`: ordinary; `SD`: supplementary, with new duties and taxes because of discrepancies in a previous one',
    }),
    AdditionalReferences: Type.Optional(
      Type.Array(AdditionalReference, { maxItems: MAX_LIST_ITEMS }),
    ),
    Parties,
    Consignment,
  },
  { $id: 'Declaration', description: 'The declaration that a goods item belongs to' },
);
