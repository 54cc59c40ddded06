// Routing profiles: what decides for an authority that has no risk engine. Ordered rules, versioned, one of them live.
import { type Static, Type } from 'typebox';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import { transportDocumentTypeCodes } from './code-lists/transport-document-types.js';
import { HarmonizedSystemChapter } from './harmonized-system.js';
import { Mrn } from './identifiers.js';
import { Routing, RoutingControlLocation } from './routing.js';
import { ONE_LINE_PATTERN, TransportDocument } from './transport-document.js';

/** What a profile may be called. */
export const PROFILE_NAME_PATTERN = '^[a-z0-9][a-z0-9-]{0,49}$';

/** A country, ISO 3166-1 alpha-2. */
export const COUNTRY_PATTERN = '^[A-Z]{2}$';

/** How goods cross the border: mode of transport codes (CL018). */
export const modesOfTransport = {
  1: 'Maritime transport',
  2: 'Rail transport',
  3: 'Road transport',
  4: 'Air transport',
  5: 'Mail',
  8: 'Inland waterway transport',
} as const;

/** A mode of transport. */
export type ModeOfTransport = `${keyof typeof modesOfTransport}`;

const Line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: ONE_LINE_PATTERN, description });

/** A list of values of which one must be the consignment's, or one of several that it has. */
const OneOf = <Item extends ReturnType<typeof Type.String>>(item: Item, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: 1000, description }));

const Country = Type.String({ pattern: COUNTRY_PATTERN });

/** What must be so for a rule to decide. Each condition that is given must hold; one that is left out always does. */
export const RoutingConditions = Type.Object({
  customsOfficeOfFirstEntry: OneOf(
    Type.String({ pattern: CUSTOMS_OFFICE_PATTERN }),
    'Customs office of first entry of the ENS',
  ),
  officeCountry: OneOf(Country, 'Country of that office'),
  transportDocumentType: Type.Optional(
    Type.Array(Type.Enum([...transportDocumentTypeCodes]), {
      minItems: 1,
      maxItems: 1000,
      description: 'Type of the house-level transport document, code list CL754',
    }),
  ),
  modeOfTransport: Type.Optional(
    Type.Array(Type.Enum(Object.keys(modesOfTransport) as ModeOfTransport[]), {
      minItems: 1,
      maxItems: 1000,
      description: `Mode of transport at the border (CL018): ${Object.entries(modesOfTransport)
        .map(([code, name]) => `\`${code}\` ${name}`)
        .join(
          ', ',
        )}. It is the first digit of typeOfIdentification; where the ENS names no means of transport, it follows from the type of the house document`,
    }),
  ),
  originCountry: OneOf(
    Country,
    'Where a postal item comes from: the office of origin of its receptacle (UPU S9), else the end of its item number (UPU S10)',
  ),
  destinationCountry: OneOf(
    Country,
    'Where a postal item goes to: the office of destination of its receptacle (UPU S9)',
  ),
  harmonizedSystemChapter: OneOf(
    HarmonizedSystemChapter,
    'Chapter of the Harmonized System that one of its subheadings begins with; a consignment that tells none fits none',
  ),
});
export type RoutingConditions = Static<typeof RoutingConditions>;

/** One rule: what it asks for, and what it decides. */
export const RoutingRule = Type.Object({
  name: Line(100, 'What the rule is for'),
  when: Type.Optional(RoutingConditions),
  share: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Decides only for this share of the house consignments for which its conditions hold: those for which the first 48 bits of SHA-256 of `<salt>:<place of the rule, from 1>:<the house consignment's id>`, as a fraction of 2^48, are below it",
    }),
  ),
  routing: Routing,
  routingControlLocation: Type.Optional(RoutingControlLocation),
});
export type RoutingRule = Static<typeof RoutingRule>;

/** A profile: the first rule that holds decides; where none does, the consignment stays undecided. */
export const RoutingProfile = Type.Object(
  {
    salt: Line(
      100,
      'Seeds the choice of shares: whoever knows it and the id of a house consignment can check the choice again',
    ),
    rules: Type.Array(RoutingRule, { minItems: 1, maxItems: 100 }),
  },
  {
    $id: 'RoutingProfile',
    description: 'Ordered rules of which the first that holds decides',
    examples: [
      {
        salt: '2026-47',
        rules: [
          {
            name: 'post from overseas',
            when: { modeOfTransport: ['5'], originCountry: ['US', 'CN'] },
            share: 0.1,
            routing: 'TO_CONTROL',
            routingControlLocation: 'ON_ENTRY',
          },
          { name: 'random control', share: 0.01, routing: 'TO_CONTROL' },
          { name: 'all others', routing: 'TO_ENTRY' },
        ],
      },
    ],
  },
);
export type RoutingProfile = Static<typeof RoutingProfile>;

const version = Type.Integer({ minimum: 1, maximum: 1_000_000 });

/** The name of a profile, in an address. */
export const ProfileName = Type.String({
  pattern: PROFILE_NAME_PATTERN,
  description: 'Small letters, digits and hyphens, 50 at most',
  examples: ['random-control'],
});

/** A version of a profile, as it is kept. */
export const StoredRoutingProfile = Type.Object(
  {
    name: ProfileName,
    version,
    createdAt: Type.String({ format: 'date-time' }),
    live: Type.Boolean({ description: 'Whether it decides for what is pre-notified from now on' }),
    liveSince: Type.Optional(Type.String({ format: 'date-time' })),
    ...RoutingProfile.properties,
  },
  { $id: 'StoredRoutingProfile', description: 'A version of a profile; it never changes' },
);
export type StoredRoutingProfile = Static<typeof StoredRoutingProfile>;

/** Which version is to be the live one. */
export const LiveRoutingProfile = Type.Object(
  { name: ProfileName, version },
  { $id: 'LiveRoutingProfile' },
);
export type LiveRoutingProfile = Static<typeof LiveRoutingProfile>;

/** Most house consignments that a dry run looks at. */
export const DRY_RUN_LIMIT = 1_000_000;

/** What a dry run is to try. */
export const DryRunRequest = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ ...version, description: 'Which version; left out: the latest' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DRY_RUN_LIMIT,
        default: 100_000,
        description: 'So many of the house consignments that were pre-notified last',
      }),
    ),
  },
  { $id: 'DryRunRequest' },
);
export type DryRunRequest = Static<typeof DryRunRequest>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** What a version of a profile would decide of stored house consignments. */
export const DryRun = Type.Object(
  {
    name: ProfileName,
    version,
    examined: Count('House consignments that were looked at'),
    undecided: Count('Those for which no rule holds'),
    comparison: Type.Object(
      {
        same: Count('Decided as it would decide'),
        otherwise: Count('Decided otherwise'),
        new: Count('Not decided yet, and it would decide'),
      },
      { description: 'Beside what stands' },
    ),
    rules: Type.Array(
      Type.Object({
        rule: Type.Integer({ minimum: 1, description: 'Its place, from 1' }),
        name: Type.String(),
        held: Count('For how many its conditions hold that no rule before it has decided'),
        decided: Count('How many of these it decides: all, or its share'),
        examples: Type.Array(
          Type.Object({
            houseConsignmentId: Type.String({ format: 'uuid' }),
            mrn: Mrn,
            transportDocumentHouseLevel: TransportDocument,
          }),
          { description: 'Some that it decides, five at most' },
        ),
      }),
    ),
  },
  { $id: 'DryRun' },
);
export type DryRun = Static<typeof DryRun>;

/** Most house consignments that one call applies the live profile to. */
export const APPLY_LIMIT = 100_000;

/** The query of applying the live profile. */
export const ApplyQuery = Type.Object({
  marker: Type.Optional(
    Type.String({ format: 'uuid', description: 'Goes on where the answer with this marker ended' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: APPLY_LIMIT,
      default: 10_000,
      description: 'At most so many undecided house consignments',
    }),
  ),
});
export type ApplyQuery = Static<typeof ApplyQuery>;

/** What applying the live profile has come to. */
export const AppliedRoutingProfile = Type.Object(
  {
    name: ProfileName,
    version,
    examined: Count('Undecided house consignments that were looked at'),
    decided: Count('Those that it has decided'),
    signals: Count('Signals that this issued'),
    marker: Type.Optional(
      Type.String({ format: 'uuid', description: 'To go on from; not there when none is left' }),
    ),
  },
  { $id: 'AppliedRoutingProfile' },
);
export type AppliedRoutingProfile = Static<typeof AppliedRoutingProfile>;
