// One goods item of a declaration: its commodity code, origin, values, masses and duties.
import { type Static, Type } from 'typebox';
import { HarmonizedSystemSubheadingCode } from '../harmonized-system.js';
import { definePattern } from '../patterns.js';
import { Declaration } from './declaration.js';
import { Country, MAX_LIST_ITEMS, Strict, TextUpTo, TwoDigits } from './members.js';

/** Identifier of a declaration. */
export const DeclarationIdentification = Type.String({
  pattern: definePattern(
    '^[1-9][0-9]{0,10}-[0-9]{8}-[1-9][0-9]{0,5}-[0-9]{2}$',
    'must be a declaration identifier: up to 11 digits, 8 digits, up to 6 digits and 2 digits, joined by hyphens',
  ),
  description: 'Unique identifier of the declaration (national extension)',
  examples: ['974761076-20260117-4711-01'],
});

const CommodityCode = Strict(
  {
    HarmonizedSystemSubheadingCode,
    CombinedNomenclatureCode: TwoDigits('Digits seven and eight: the combined nomenclature'),
    TARICCode: Type.Optional(
      TwoDigits('Digits nine and ten: the main measure code for a specific EU customs measure'),
    ),
  },
  { $id: 'CommodityCode', description: 'The commodity code of the goods' },
);

const Procedure = Strict(
  {
    RequestedProcedure: TwoDigits('The requested procedure'),
    PreviousProcedure: Type.Optional(TwoDigits('The procedure that the goods were under')),
  },
  { $id: 'Procedure', description: 'The customs procedure' },
);

const DutyOrTax = Strict(
  {
    TaxType: Type.String({
      pattern: definePattern(
        '^[0-9]{1}[A-Z0-9]{2}$',
        'must be a digit and two capital letters or digits',
      ),
      description: 'Type of the duty or tax',
    }),
    PayableTaxAmount: Type.Number({ description: 'Calculated amount, in NOK' }),
  },
  { $id: 'DutyOrTax', description: 'One duty or tax' },
);

const AdditionalInformation = Strict(
  {
    Code: Type.String({
      maxLength: 5,
      pattern: definePattern(
        '^[A-Z]{1}[A-Z0-9]{2,4}$',
        'must be a capital letter and two to four capital letters or digits',
      ),
      description: 'Code of the information',
    }),
    Text: TextUpTo(512, 'The information'),
  },
  { $id: 'AdditionalInformation', description: 'Additional information on the goods' },
);

/** One goods item of a declaration. */
export const GoodsItem = Strict(
  {
    DeclarationIdentification,
    GoodsItemNumber: Type.Integer({
      minimum: 1,
      // Beyond this, JavaScript cannot distinguish all numbers.
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Sequential number of the goods item in the declaration',
    }),
    Declaration,
    CommodityCode,
    CountryOfOrigin: Country('Country of origin, for imports and exports'),
    RegionOfDispatch: Type.Optional(TextUpTo(9, 'Region of dispatch or production, for exports')),
    StatisticalValue: Type.Number({ description: 'In NOK' }),
    GrossMass: Type.Number({ description: 'In kilograms' }),
    NetMass: Type.Number({ description: 'In kilograms' }),
    SupplementaryUnit: Type.Optional(
      Type.Number({ description: 'Quantity in the supplementary unit, when applicable' }),
    ),
    Procedure,
    DutiesAndTaxes: Type.Optional(Type.Array(DutyOrTax, { maxItems: MAX_LIST_ITEMS })),
    AdditionalInformation: Type.Optional(
      Type.Array(AdditionalInformation, { maxItems: MAX_LIST_ITEMS }),
    ),
  },
  { $id: 'GoodsItem', description: 'One goods item of a declaration' },
);
export type GoodsItem = Static<typeof GoodsItem>;
