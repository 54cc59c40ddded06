// Code list CL141: customs offices. It changes weekly, so the full list is imported at run time. Until then, the service
// uses the national offices that are listed here.
import { type Static, Type } from 'typebox';
import { definePattern, OneLine } from '../patterns.js';
import { Count } from '../quantities.js';

/** The reference number of a customs office: country and six letters or digits. */
export const CUSTOMS_OFFICE_PATTERN = definePattern(
  '^[A-Z]{2}[A-Z0-9]{6}$',
  'must be a country code and six capital letters or digits',
);

/** One customs office of CL141. */
export const CustomsOffice = Type.Object(
  {
    referenceNumber: Type.String({ pattern: CUSTOMS_OFFICE_PATTERN, examples: ['NO351001'] }),
    name: OneLine(200),
    validFrom: Type.Optional(Type.String({ format: 'date' })),
    validTo: Type.Optional(Type.String({ format: 'date' })),
  },
  { $id: 'CustomsOffice', description: 'A customs office of CL141; both days are included' },
);
export type CustomsOffice = Static<typeof CustomsOffice>;

/** How many customs offices are listed of each kind of change. */
export const LISTED_CHANGES = 100;

/** Customs offices that an import changes in one way. */
export const CustomsOfficeChanges = Type.Object(
  {
    count: Count('How many customs offices'),
    first: Type.Array(CustomsOffice, {
      maxItems: LISTED_CHANGES,
      description: `The first ${LISTED_CHANGES} of them`,
    }),
  },
  { $id: 'CustomsOfficeChanges', description: 'Customs offices that an import changes in one way' },
);
export type CustomsOfficeChanges = Static<typeof CustomsOfficeChanges>;

/** The result of an import of a code list, or what it would be. */
export const CodeListImported = Type.Object(
  {
    codeList: Type.Literal('cl141'),
    entries: Type.Integer({ minimum: 0, description: 'Entries of the new list' }),
    replaced: Type.Integer({ minimum: 0, description: 'Entries of the previous list' }),
    added: CustomsOfficeChanges,
    changed: CustomsOfficeChanges,
    removed: CustomsOfficeChanges,
    importedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Absent in a preview' }),
    ),
  },
  {
    $id: 'CodeListImported',
    description:
      'The result of an import of a code list, or a preview of it. `added`: only the new list has them; `changed`: they have another name or other days in the new list, which are shown; `removed`: the new list does not have them, or its days there end what is valid now or within 30 days; shown as they were',
  },
);
export type CodeListImported = Static<typeof CodeListImported>;

/** The query of an import of a code list. */
export const CodeListImportQuery = Type.Object({
  preview: Type.Optional(
    Type.Boolean({
      description: 'With `true`, nothing is changed: the response is what the import would change',
    }),
  ),
  expectedRemovals: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The number of `removed` offices that a preview has shown. With another number, nothing is changed: `COUNT_DIFFERS`. Required if more than one and more than a tenth of the offices would be removed',
    }),
  ),
});
export type CodeListImportQuery = Static<typeof CodeListImportQuery>;

/** The 49 national offices, built in. */
export const nationalCustomsOffices: readonly CustomsOffice[] = (
  [
    ['NO321002', 'Helligskogen'],
    ['NO321003', 'Tromsø airport'],
    ['NO323001', 'Neiden'],
    ['NO324001', 'Storskog'],
    ['NO324002', 'Kirkenes'],
    ['NO325001', 'Polmak'],
    ['NO329901', 'Karigasniemi'],
    ['NO329902', 'Kivilompolo'],
    ['NO329903', 'Utsjok'],
    ['NO331001', 'Bjørnfjell'],
    ['NO331002', 'Narvik'],
    ['NO331003', 'Evenes'],
    ['NO332001', 'Junkerdal'],
    ['NO332004', 'Bodø airport'],
    ['NO333001', 'Værnes'],
    ['NO334001', 'Vauldalen'],
    ['NO334002', 'Røros airport'],
    ['NO339901', 'Storlien'],
    ['NO339902', 'Tärnaby'],
    ['NO341001', 'Ålesund'],
    ['NO341002', 'Ålesund airport Vigra'],
    ['NO341003', 'Molde airport Årø'],
    ['NO341004', 'Kristiansund airport Kvernberget'],
    ['NO342001', 'Bergen'],
    ['NO343001', 'Bergen airport Flesland'],
    ['NO344001', 'Haugesund'],
    ['NO344002', 'Haugesund airport'],
    ['NO345001', 'Stavanger'],
    ['NO345002', 'Stavanger airport Sola'],
    ['NO351001', 'Gardermoen'],
    ['NO351003', 'Eggemoen airport'],
    ['NO361001', 'Kristiansand'],
    ['NO361002', 'Kristiansand airport Kjevik'],
    ['NO362002', 'Langesund'],
    ['NO363001', 'Torp Sandefjord airport'],
    ['NO364001', 'Sandefjord'],
    ['NO364002', 'Larvik'],
    ['NO365001', 'Helsfyr'],
    ['NO365002', 'Utstikker 2'],
    ['NO365003', 'Hjortnes'],
    ['NO368001', 'Drammen'],
    ['NO371001', 'Svinesund'],
    ['NO372001', 'Ørje'],
    ['NO373001', 'Kongsvinger'],
    ['NO373002', 'Åsnes'],
    ['NO374001', 'Østby'],
    ['NO379902', 'Hån'],
    ['NO379903', 'Eda'],
    ['NO379904', 'Idre'],
  ] as const
).map(([referenceNumber, name]) => ({ referenceNumber, name }));
