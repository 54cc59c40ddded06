// Pre-notifications: an entry summary declaration (ENS) with its house consignments.
import { type Static, Type } from 'typebox';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import { ValidationError } from './errors.js';
import { HarmonizedSystemSubheadingCode } from './harmonized-system.js';
import { ContainerId, Mrn, ReceptacleId } from './identifiers.js';
import { PARTY_PATTERN } from './organisation.js';
import { ActiveBorderTransportMeans, Routing, RoutingControlLocation } from './routing.js';
import { TransportDocument } from './transport-document.js';

/** Maximum number of containers of one house consignment. */
const MAX_CONTAINERS = 9999;

/** Maximum number of subheadings of one house consignment. */
const MAX_GOODS_ITEMS = 999;

/** Maximum number of house consignments in the list of a declaration; more are added in separate lines. */
export const MAX_HOUSE_CONSIGNMENTS = 2000;

/** Maximum number of organisations that a declaration names as presenters, beside its parties. */
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
          'The HS subheadings of its goods items, each once. Routing profiles use their chapters. They are not part of a signal',
      }),
    ),
    routing: Type.Optional(Routing),
    routingControlLocation: Type.Optional(RoutingControlLocation),
  },
  {
    $id: 'PreNotifiedHouseConsignment',
    description:
      'A house consignment; `routing` is a decision made in advance, `routingControlLocation` requires `TO_CONTROL`',
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

/** A number of the source of a declaration that grows with each change, such as a version or a time in milliseconds. */
const SourceVersion = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

const members = {
  customsOfficeOfFirstEntry: Type.String({
    pattern: CUSTOMS_OFFICE_PATTERN,
    description: 'Customs office of first entry, code list CL141',
    examples: ['NO351001'],
  }),
  declarant: Party('The organisation that lodged the declaration'),
  representative: Type.Optional(Party('The organisation that acts for the declarant')),
  carrier: Type.Optional(
    Party(
      'The carrier of the goods. If only expected presenters may present, the carrier is one, as are the declarant and the representative',
    ),
  ),
  presenters: Type.Optional(
    Type.Array(Party('An organisation that may present, such as a handling agent'), {
      minItems: 1,
      maxItems: MAX_PRESENTERS,
      uniqueItems: true,
      description:
        'Other organisations that may present the goods, if only expected presenters may. The list may change at any time',
    }),
  ),
  estimatedTimeOfArrival: Type.Optional(Type.String({ format: 'date-time' })),
  activeBorderTransportMeans: Type.Optional(ActiveBorderTransportMeans),
  version: SourceVersion(
    'A number of the source that grows with each change, such as a version or a time in milliseconds. What is older than what is kept is `OUTDATED` and changes nothing; after a withdrawal, what is not newer. Without it, the last one that arrives counts',
  ),
  houseConsignments: Type.Array(PreNotifiedHouseConsignment, {
    maxItems: MAX_HOUSE_CONSIGNMENTS,
    description:
      'All house consignments; if there are more than this list may have, it is empty and each house consignment is a separate NDJSON line. In an NDJSON line, an empty list does not change the existing house consignments',
  }),
};

/** A declaration as a line of an upload. */
export const EntrySummaryDeclaration = Type.Object(
  { mrn: Mrn, ...members },
  { $id: 'EntrySummaryDeclaration', description: 'An entry summary declaration (ENS)' },
);
export type EntrySummaryDeclaration = Static<typeof EntrySummaryDeclaration>;

/** A declaration as it is read as one JSON text: lines of an upload may have added any number of house consignments. */
export const StoredEntrySummaryDeclaration = Type.Object(
  {
    mrn: Mrn,
    ...members,
    houseConsignments: Type.Array(PreNotifiedHouseConsignment, {
      description: 'All house consignments, of any number',
    }),
  },
  {
    $id: 'StoredEntrySummaryDeclaration',
    description: 'An entry summary declaration (ENS) as it was last registered',
  },
);

/** A declaration as it is registered with `PUT`: its MRN is in the address. */
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

/** A line of an upload that adds one house consignment to an existing declaration, or changes it. */
export const HouseConsignmentLine = Type.Object(
  {
    mrn: Mrn,
    houseConsignment: PreNotifiedHouseConsignment,
    version: SourceVersion(
      "The version of its declaration. If that is older than the kept one, the line is `OUTDATED` and changes nothing. Only the declaration's own line changes the kept one",
    ),
  },
  {
    $id: 'HouseConsignmentLine',
    description: 'Adds one house consignment to an existing declaration, or changes it',
  },
);
export type HouseConsignmentLine = Static<typeof HouseConsignmentLine>;

const Count = Type.Integer({ minimum: 0 });

/** The numbers of house consignments that a registration added, changed, removed and left unchanged. */
export const HouseConsignmentCounts = Type.Object(
  { added: Count, changed: Count, removed: Count, unchanged: Count },
  { $id: 'HouseConsignmentCounts', description: 'Numbers of house consignments' },
);
export type HouseConsignmentCounts = Static<typeof HouseConsignmentCounts>;

const changed = Type.Optional(
  Type.Array(Type.String(), { description: 'The members of the declaration itself that changed' }),
);

/** The result of registering or withdrawing a declaration. */
export const EntrySummaryDeclarationResult = Type.Object(
  {
    mrn: Mrn,
    status: Type.Enum(['REGISTERED', 'CHANGED', 'UNCHANGED', 'OUTDATED', 'WITHDRAWN'], {
      description:
        '`REGISTERED`: the declaration is new; `CHANGED`: it existed and differed; `UNCHANGED`: it existed and was equal; `OUTDATED`: its `version` is older than the kept one, and nothing was changed; `WITHDRAWN`: it was removed',
    }),
    changed,
    houseConsignments: HouseConsignmentCounts,
  },
  {
    $id: 'EntrySummaryDeclarationResult',
    description: 'The result of registering or withdrawing a declaration',
  },
);
export type EntrySummaryDeclarationResult = Static<typeof EntrySummaryDeclarationResult>;

/** The result of one line of an upload. */
export const RegistrationResult = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Number of the line in the request' }),
    mrn: Type.Optional(Type.String({ description: 'Absent if it cannot be read' })),
    status: Type.Enum(['REGISTERED', 'CHANGED', 'UNCHANGED', 'OUTDATED', 'REFUSED'], {
      description:
        '`OUTDATED`: the `version` is older than the kept one, and the line changed nothing; `REFUSED`: the line changed nothing, and `validationErrors` has the reasons',
    }),
    changed,
    houseConsignments: Type.Optional(HouseConsignmentCounts),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, { description: 'Broken rules, at most 100' }),
    ),
  },
  { $id: 'RegistrationResult', description: 'The result of one line' },
);
export type RegistrationResult = Static<typeof RegistrationResult>;
