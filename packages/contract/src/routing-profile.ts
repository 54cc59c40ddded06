// Routing profiles: versioned, ordered rules that decide on house consignments, for an authority without a risk engine.
import { type Static, Type } from 'typebox';
import { CUSTOMS_OFFICE_PATTERN } from './code-lists/customs-offices.js';
import { TransportDocumentType } from './code-lists/transport-document-types.js';
import { HarmonizedSystemChapter } from './harmonized-system.js';
import { Mrn } from './identifiers.js';
import { keysOf } from './keys-of.js';
import { importProcedures, outgoingProcedures } from './movement/codes/procedures.js';
import { pageLimit } from './paging.js';
import { COUNTRY_PATTERN, definePattern, Identifier, OneLine } from './patterns.js';
import { Amount, Count } from './quantities.js';
import { Routing, RoutingControlLocation } from './routing.js';
import { TransportDocument } from './transport-document.js';

/** Names of profiles. */
export const PROFILE_NAME_PATTERN = definePattern(
  '^[a-z0-9][a-z0-9-]{0,49}$',
  'must be small letters, digits and hyphens, 50 at most',
);

/** Mode of transport at the border: codes of CL018. */
export const modesOfTransport = {
  1: 'Maritime transport',
  2: 'Rail transport',
  3: 'Road transport',
  4: 'Air transport',
  5: 'Mail',
  8: 'Inland waterway transport',
} as const;

/** A mode of transport. */
export const ModeOfTransport = Type.Enum(
  // The cast is true because names of members are texts.
  Object.keys(modesOfTransport) as `${keyof typeof modesOfTransport}`[],
  {
    $id: 'ModeOfTransport',
    description: `Mode of transport at the border (CL018): ${Object.entries(modesOfTransport)
      .map(([code, name]) => `\`${code}\` ${name}`)
      .join(', ')}`,
  },
);
export type ModeOfTransport = Static<typeof ModeOfTransport>;

/** A list of values. The condition holds if the consignment has one of them. */
const OneOf = <Item extends ReturnType<typeof Type.String>>(item: Item, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: 1000, description }));

const Country = Type.String({ pattern: COUNTRY_PATTERN });

/** How goods were notified to customs, and what each word means. */
export const notifications = {
  ENS: 'pre-notified in an entry summary declaration',
  MOVEMENT: 'lodged as a house consignment',
} as const;

/** Conditions on what a message says do not hold for goods of an ENS, which does not say it. */
const ofLodged = 'false for goods of an ENS';

/** The conditions of a rule. All given conditions must hold. */
export const RoutingConditions = Type.Object(
  {
    customsOfficeOfFirstEntry: OneOf(
      Type.String({ pattern: CUSTOMS_OFFICE_PATTERN }),
      'Customs office of first entry of the ENS. Of goods that were lodged, the office at which they are presented',
    ),
    officeCountry: OneOf(Country, 'Country of that office'),
    transportDocumentType: Type.Optional(
      Type.Array(TransportDocumentType, {
        minItems: 1,
        maxItems: 1000,
        description: 'Type of the transport document at house level',
      }),
    ),
    modeOfTransport: Type.Optional(
      Type.Array(ModeOfTransport, {
        minItems: 1,
        maxItems: 1000,
        description:
          'Mode of transport at the border: the first digit of typeOfIdentification. If the ENS has no means of transport, it is derived from the type of the transport document at house level',
      }),
    ),
    originCountry: OneOf(
      Country,
      'Country of origin of a postal item: of the office of origin of its receptacle (UPU S9), else the last two letters of its item number (UPU S10)',
    ),
    destinationCountry: OneOf(
      Country,
      'Country of destination of a postal item: of the office of destination of its receptacle (UPU S9)',
    ),
    harmonizedSystemChapter: OneOf(
      HarmonizedSystemChapter,
      'Chapter of the Harmonized System of one of its subheadings; false for a consignment without subheadings',
    ),
    importProcedure: Type.Optional(
      Type.Array(Type.Enum(keysOf(importProcedures)), {
        minItems: 1,
        maxItems: 1000,
        description: `Import procedure of the message; ${ofLodged}`,
      }),
    ),
    outgoingProcedure: Type.Optional(
      Type.Array(Type.Enum(keysOf(outgoingProcedures)), {
        minItems: 1,
        maxItems: 1000,
        description: `Outgoing procedure of the message; ${ofLodged}`,
      }),
    ),
    carrierIdentificationNumber: OneOf(
      Identifier(17),
      `Number of the carrier, exactly as the house consignment names it with what it hangs on. Of one that names none, such as mail in a receptacle, that of the transport with which it arrived; ${ofLodged}`,
    ),
    consignorCountry: OneOf(Country, `Country of the consignor's address; ${ofLodged}`),
    grossMassFrom: Type.Optional(
      Amount(`Least gross mass of the house consignment, in kilograms; ${ofLodged}`),
    ),
    notified: Type.Optional(
      Type.Array(Type.Enum(keysOf(notifications)), {
        minItems: 1,
        maxItems: 2,
        description: `How the goods were notified: ${Object.entries(notifications)
          .map(([code, meaning]) => `\`${code}\` ${meaning}`)
          .join(', ')}`,
      }),
    ),
  },
  {
    $id: 'RoutingConditions',
    description:
      'The conditions of a rule. All given conditions must hold. While it is not known whether one holds that would let the rule decide, the decision is postponed: it is made when the goods are presented',
  },
);
export type RoutingConditions = Static<typeof RoutingConditions>;

/** One rule: its conditions and its decision. */
export const RoutingRule = Type.Object(
  {
    name: OneLine(100, 'The purpose of the rule'),
    when: Type.Optional(RoutingConditions),
    share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'The rule decides only on this share of the house consignments for which its conditions hold: those for which the first 48 bits of SHA-256 of `<salt>:<number of the rule, from 1>:<id of the house consignment>`, as a fraction of 2^48, are less than the share',
      }),
    ),
    routing: Routing,
    routingControlLocation: Type.Optional(RoutingControlLocation),
  },
  {
    $id: 'RoutingRule',
    description:
      'One rule: its conditions and its decision; `routingControlLocation` requires `TO_CONTROL`',
  },
);
export type RoutingRule = Static<typeof RoutingRule>;

/** A profile: the first rule whose conditions hold decides. If there is none, the consignment remains undecided. */
export const RoutingProfile = Type.Object(
  {
    salt: OneLine(
      100,
      'Seed for the choice of shares. With the salt and the id of a house consignment, the choice can be verified',
    ),
    rules: Type.Array(RoutingRule, { minItems: 1, maxItems: 100 }),
  },
  {
    $id: 'RoutingProfile',
    description: 'Ordered rules. The first one whose conditions hold decides',
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

/** The name of a profile in an address. */
export const ProfileName = Type.String({
  pattern: PROFILE_NAME_PATTERN,
  description: 'Lower-case letters, digits and hyphens, at most 50',
  examples: ['random-control'],
});

/** A stored version of a profile. */
export const StoredRoutingProfile = Type.Object(
  {
    name: ProfileName,
    version,
    createdAt: Type.String({ format: 'date-time' }),
    live: Type.Boolean({
      description:
        'Whether this version decides on house consignments that are pre-notified from now on',
    }),
    liveSince: Type.Optional(Type.String({ format: 'date-time' })),
    ...RoutingProfile.properties,
  },
  {
    $id: 'StoredRoutingProfile',
    description: 'A stored version of a profile, whose rules never change',
  },
);
export type StoredRoutingProfile = Static<typeof StoredRoutingProfile>;

/** Which version is the last one of a page: its name and its number. */
export const PROFILE_MARKER_PATTERN = definePattern(
  '^[a-z0-9][a-z0-9-]{0,49}:[1-9][0-9]{0,6}$',
  'must be the name and the version of a profile, such as post:3',
);

/** The query of the list of profiles. */
export const RoutingProfileQuery = Type.Object({
  name: Type.Optional(
    Type.String({
      pattern: PROFILE_NAME_PATTERN,
      description: 'Only profiles whose names begin with these characters',
      examples: ['random'],
    }),
  ),
  marker: Type.Optional(
    Type.String({
      pattern: PROFILE_MARKER_PATTERN,
      description:
        'The name and the version of the last profile that was read, with a colon between them; the page begins after it',
      examples: ['random-control:3'],
    }),
  ),
  limit: pageLimit,
});
export type RoutingProfileQuery = Static<typeof RoutingProfileQuery>;

/** The version to activate. */
export const LiveRoutingProfile = Type.Object(
  { name: ProfileName, version },
  { $id: 'LiveRoutingProfile', description: 'The version of a profile to activate' },
);
export type LiveRoutingProfile = Static<typeof LiveRoutingProfile>;

/** The request of a dry run. */
export const DryRunRequest = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ ...version, description: 'The version; default: the latest' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 100_000,
        description:
          'Maximum number of house consignments, beginning with those that were pre-notified last',
      }),
    ),
  },
  { $id: 'DryRunRequest', description: 'The version to try, and on how many house consignments' },
);
export type DryRunRequest = Static<typeof DryRunRequest>;

const DryRunComparison = Type.Object(
  {
    same: Count('Already decided in the same way'),
    otherwise: Count('Already decided in another way'),
    new: Count('Undecided, and the version would decide'),
  },
  { $id: 'DryRunComparison', description: 'Compared with the current decisions' },
);

const DryRunExample = Type.Object(
  {
    houseConsignmentId: Type.String({ format: 'uuid' }),
    mrn: Mrn,
    transportDocumentHouseLevel: TransportDocument,
  },
  { $id: 'DryRunExample', description: 'A house consignment on which a rule would decide' },
);

const DryRunCondition = Type.Object(
  {
    condition: Type.Enum(keysOf(RoutingConditions.properties), {
      description: 'The name of the condition in `when`',
    }),
    held: Count('House consignments that reach the rule and for which this condition holds'),
  },
  { $id: 'DryRunCondition', description: 'How many house consignments one condition catches' },
);

const DryRunRule = Type.Object(
  {
    rule: Type.Integer({ minimum: 1, description: 'The number of the rule, from 1' }),
    name: Type.String(),
    reached: Count('House consignments on which no earlier rule decides'),
    conditions: Type.Array(DryRunCondition, {
      description: 'Each condition of the rule on its own, in the order of the rule',
    }),
    held: Count('House consignments for which its conditions hold and no earlier rule decides'),
    decided: Count('Those of them on which it would decide: all, or its share'),
    examples: Type.Array(DryRunExample, {
      description: 'Some house consignments on which it would decide, at most five',
    }),
  },
  { $id: 'DryRunRule', description: 'What one rule would decide' },
);

/** The decisions that a version of a profile would make on stored house consignments. */
export const DryRun = Type.Object(
  {
    name: ProfileName,
    version,
    examined: Count('Examined house consignments'),
    undecided: Count('Those on which no rule would decide'),
    comparison: DryRunComparison,
    rules: Type.Array(DryRunRule),
  },
  { $id: 'DryRun', description: 'The decisions that a version of a profile would make' },
);
export type DryRun = Static<typeof DryRun>;

/** The query of applying the live profile. */
export const ApplyQuery = Type.Object({
  marker: Type.Optional(
    Type.String({ format: 'uuid', description: 'Continues after the response with this marker' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 10_000,
      description: 'Maximum number of undecided house consignments to examine',
    }),
  ),
});
export type ApplyQuery = Static<typeof ApplyQuery>;

/** The result of applying the live profile. */
export const AppliedRoutingProfile = Type.Object(
  {
    name: ProfileName,
    version,
    examined: Count('Examined undecided house consignments'),
    decided: Count('Those on which the profile decided'),
    signals: Count('Issued signals'),
    marker: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The marker for the next call; absent if no house consignments remain',
      }),
    ),
  },
  { $id: 'AppliedRoutingProfile', description: 'The result of applying the live profile' },
);
export type AppliedRoutingProfile = Static<typeof AppliedRoutingProfile>;
