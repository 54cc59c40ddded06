// What is pre-notified: an entry summary declaration (ENS) with its house consignments. Wire contract, section 7.
import { type Static, Type } from 'typebox';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import { ValidationError } from './errors.js';
import { HarmonizedSystemSubheadingCode } from './harmonized-system.js';
import { ContainerId, Mrn, ReceptacleId } from './identifiers.js';
import { PARTY_PATTERN } from './organisation.js';
import { ActiveBorderTransportMeans, Routing, RoutingControlLocation } from './routing.js';
import { TransportDocument } from './transport-document.js';

/** The containers that one house consignment may be packed in. */
const MAX_CONTAINERS = 9999;

/** The goods items of one house consignment. */
const MAX_GOODS_ITEMS = 999;

/** The house consignments that come with their ENS; more are added in lines of their own. */
export const MAX_HOUSE_CONSIGNMENTS = 2000;

/** Organisations that a declaration may name as presenters, beside its parties. */
const MAX_PRESENTERS = 100;

/** One house consignment of an ENS. */
export const PreNotifiedHouseConsignment = Type.Object(
  {
    transportDocumentHouseLevel: TransportDocument,
    transportDocumentMasterLevel: Type.Optional(TransportDocument),
    receptacleId: Type.Optional(ReceptacleId),
    containerId: Type.Optional(
      Type.Array(ContainerId, { maxItems: MAX_CONTAINERS, uniqueItems: true }),
    ),
    harmonizedSystemSubheadingCode: Type.Optional(
      Type.Array(HarmonizedSystemSubheadingCode, {
        maxItems: MAX_GOODS_ITEMS,
        uniqueItems: true,
        description:
          'What the goods are: the HS subheadings of its goods items, each once. Routing profiles go by their chapters; no signal tells them',
      }),
    ),
    routing: Type.Optional(Routing),
    routingControlLocation: Type.Optional(RoutingControlLocation),
  },
  {
    $id: 'PreNotifiedHouseConsignment',
    description:
      'A house consignment; `routing` is a decision made beforehand, `routingControlLocation` goes with `TO_CONTROL` alone',
  },
);
export type PreNotifiedHouseConsignment = Static<typeof PreNotifiedHouseConsignment>;

const Party = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: PARTY_PATTERN,
    description: `${description}: \`0192:<organisation number>\`, or the eSeal's organizationIdentifier`,
    examples: ['0192:974760673'],
  });

const members = {
  customsOfficeOfFirstEntry: Type.String({
    pattern: CUSTOMS_OFFICE_PATTERN,
    description: 'Customs office of first entry, code list CL141',
    examples: ['NO351001'],
  }),
  declarant: Party('Who lodged it'),
  representative: Type.Optional(Party('Who acts for the declarant')),
  carrier: Type.Optional(
    Party(
      'Who brings the goods. Where only expected presenters may present, it may, as the declarant and the representative may',
    ),
  ),
  presenters: Type.Optional(
    Type.Array(Party('Who else may present, such as a handling agent'), {
      minItems: 1,
      maxItems: MAX_PRESENTERS,
      uniqueItems: true,
      description:
        'Who else may present the goods, where only expected presenters may. It may change at any time',
    }),
  ),
  estimatedTimeOfArrival: Type.Optional(Type.String({ format: 'date-time' })),
  activeBorderTransportMeans: Type.Optional(ActiveBorderTransportMeans),
  houseConsignments: Type.Array(PreNotifiedHouseConsignment, {
    maxItems: MAX_HOUSE_CONSIGNMENTS,
    description:
      'All its house consignments; where there are more, the list is empty and each comes in a line of its own. In an NDJSON line an empty list leaves those that stand as they are: they come in lines of their own',
  }),
};

/** An ENS as the authority knows it; a line of an upload. */
export const EntrySummaryDeclaration = Type.Object(
  { mrn: Mrn, ...members },
  { $id: 'EntrySummaryDeclaration', description: 'An entry summary declaration (ENS)' },
);
export type EntrySummaryDeclaration = Static<typeof EntrySummaryDeclaration>;

/** An ENS as it is put: its MRN stands in the address. */
export const EntrySummaryDeclarationEntry = Type.Object(
  { mrn: Type.Optional(Mrn), ...members },
  {
    $id: 'EntrySummaryDeclarationEntry',
    description: 'An entry summary declaration; `mrn`, if given, is the one in the address',
    examples: [
      {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000019',
        estimatedTimeOfArrival: '2026-11-21T14:30:00Z',
        houseConsignments: [
          {
            transportDocumentHouseLevel: { documentNumber: 'HAWB4711', type: 'N740' },
            transportDocumentMasterLevel: { documentNumber: '11712345675', type: 'N741' },
          },
        ],
      },
    ],
  },
);
export type EntrySummaryDeclarationEntry = Static<typeof EntrySummaryDeclarationEntry>;

/** A line of an upload that adds one house consignment to an ENS that stands. */
export const HouseConsignmentLine = Type.Object(
  { mrn: Mrn, houseConsignment: PreNotifiedHouseConsignment },
  {
    $id: 'HouseConsignmentLine',
    description: 'Adds one house consignment to an ENS that stands, or changes it',
  },
);
export type HouseConsignmentLine = Static<typeof HouseConsignmentLine>;

const Count = Type.Integer({ minimum: 0 });

/** How many house consignments were treated how. */
export const HouseConsignmentCounts = Type.Object({
  added: Count,
  changed: Count,
  removed: Count,
  unchanged: Count,
});
export type HouseConsignmentCounts = Static<typeof HouseConsignmentCounts>;

const changed = Type.Optional(
  Type.Array(Type.String(), { description: "Which of the declaration's own members changed" }),
);

/** What has become of an ENS. */
export const EntrySummaryDeclarationResult = Type.Object(
  {
    mrn: Mrn,
    status: Type.Enum(['REGISTERED', 'CHANGED', 'UNCHANGED', 'WITHDRAWN'], {
      description:
        '`REGISTERED`: it is new; `CHANGED`: it stood otherwise; `UNCHANGED`: it stood already; `WITHDRAWN`: it is gone',
    }),
    changed,
    houseConsignments: HouseConsignmentCounts,
  },
  { $id: 'EntrySummaryDeclarationResult' },
);
export type EntrySummaryDeclarationResult = Static<typeof EntrySummaryDeclarationResult>;

/** What has become of one line of an upload. */
export const RegistrationResult = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Number of the line in the request' }),
    mrn: Type.Optional(Type.String({ description: 'As far as it can be read' })),
    status: Type.Enum(['REGISTERED', 'CHANGED', 'UNCHANGED', 'REFUSED'], {
      description: '`REFUSED`: the line changed nothing, and `validationErrors` say why',
    }),
    changed,
    houseConsignments: Type.Optional(HouseConsignmentCounts),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, { description: 'Broken rules, a hundred at most' }),
    ),
  },
  { $id: 'RegistrationResult', description: 'What has become of one line' },
);
export type RegistrationResult = Static<typeof RegistrationResult>;
