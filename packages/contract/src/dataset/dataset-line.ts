// The lines of a dataset for playgrounds and tests: what the authority imports, and
// identities, decisions and scenarios beside it.
import { type Static, Type } from 'typebox';
import { EntrySummaryDeclaration, HouseConsignmentLine } from '../entry-summary-declaration.js';
import { Mrn } from '../identifiers.js';
import { INVISIBLE_IN_IDENTIFIERS } from '../invisible-characters.js';
import { keysOf } from '../keys-of.js';
import { type MovementLevel, movementLevels } from '../movement/levels.js';
import { type ModeName, modes } from '../movement/modes.js';
import { Scope } from '../organisation.js';
import { definePattern, OneLine } from '../patterns.js';
import { RegisteredReference } from '../reference-document.js';
import { RoutingDecision } from '../routing-decision.js';
import { MAX_AFTER_SECONDS } from '../scenarios/decision-scenarios.js';
import { type Scenario, scenarioKindNames, scenarioSchema } from '../scenarios/scenario.js';

/** Maximum number of identities of a dataset: the playground makes a key and a certificate for each. */
export const MAX_DATASET_IDENTITIES = 100;

/** Maximum size of a line of a dataset, in bytes; as in the import of the authority. */
export const MAX_DATASET_LINE_BYTES = 512 * 1024;

/** What a dataset contains, in its first line. */
const DatasetDescription = Type.Object(
  {
    name: OneLine(100, 'Name of the dataset'),
    description: Type.Optional(OneLine(500, 'What it contains, in one sentence')),
  },
  { additionalProperties: false },
);
type DatasetDescription = Static<typeof DatasetDescription>;

const Scopes = (description: string) =>
  Type.Optional(Type.Array(Scope, { maxItems: 100, uniqueItems: true, description }));

/** An organisation with credentials, added to those of every playground. */
export const DatasetIdentity = Type.Object(
  {
    name: Type.String({
      maxLength: 60,
      pattern: definePattern(
        '^[a-z][a-z0-9-]*$',
        'must begin with a lower-case letter and consist of lower-case letters, digits and hyphens',
      ),
      description: 'Names the file of its credentials, and the identity in commands',
      examples: ['handler-1'],
    }),
    organisation: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: definePattern(
        `^(?:0192:[0-9]{9}|[A-Z]{5}-[^${INVISIBLE_IN_IDENTIFIERS}]+)$`,
        "must be '0192:' and nine digits, or an eSeal's organizationIdentifier such as NTRDE-HRB000001",
      ),
      description: "`0192:<organisation number>`, or the eSeal's organizationIdentifier",
      examples: ['0192:310000086'],
    }),
    organisationName: OneLine(200, "The organisation's name"),
    scopes: Scopes(
      'The scopes that its client may request, in the plain form; default: `movement/entry`',
    ),
    granted: Scopes('The scopes that are granted to its organisation; default: `scopes`'),
    algorithm: Type.Optional(
      Type.Enum(['ES256', 'RS256'], {
        description:
          'The algorithm that signs its grants; default: that of `privateKey`, or `ES256`',
      }),
    ),
    privateKey: Type.Optional(
      Type.String({
        maxLength: 20_000,
        format: 'lines',
        description:
          'Its private key as PEM, not encrypted: EC of P-256, or RSA of 2048 to 8192 bits; default: a key is generated',
      }),
    ),
    pfx: Type.Optional(
      Type.String({
        maxLength: 40_000,
        pattern: definePattern('^[A-Za-z0-9+/]+={0,2}$', 'must be base64'),
        description: 'A PKCS#12 file with such a key, as base64, in place of `privateKey`',
      }),
    ),
    pfxPassword: Type.Optional(
      Type.String({ maxLength: 200, description: 'The password of `pfx`; default: an empty one' }),
    ),
  },
  { additionalProperties: false },
);
export type DatasetIdentity = Static<typeof DatasetIdentity>;

/** Maximum number of decisions of a dataset that come after the presentation: the playground keeps them in memory. */
export const MAX_LATE_DECISIONS = 100_000;

/** A decision; its ENS must be named, because documents are unique only within an ENS. */
const DatasetDecision = Type.Object(
  {
    ...RoutingDecision.properties,
    mrn: Mrn,
    afterSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_AFTER_SECONDS,
        description:
          "When it is made, in seconds after the first presentation by the playground's clock; default: before the start",
      }),
    ),
  },
  { $id: 'DatasetDecision', description: 'A decision on a house consignment of the dataset' },
);
type DatasetDecision = Static<typeof DatasetDecision>;

/** A decision that is made after the goods are presented. */
export type LateDecision = DatasetDecision & { afterSeconds: number };

const onlyMember = { additionalProperties: false };

const DatasetHeaderLine = Type.Object({ dataset: DatasetDescription }, onlyMember);
export type DatasetHeaderLine = Static<typeof DatasetHeaderLine>;

const IdentityLine = Type.Object({ identity: DatasetIdentity }, onlyMember);
export type IdentityLine = Static<typeof IdentityLine>;

const DecisionLine = Type.Object({ decision: DatasetDecision }, onlyMember);
export type DecisionLine = Static<typeof DecisionLine>;

/** A scenario, as it is added to a running playground. */
const ScenarioLine = Type.Object(
  { scenario: Type.Union(scenarioKindNames.map(scenarioSchema)) },
  onlyMember,
);
export type ScenarioLine = { scenario: Scenario };

/** Maximum number of messages of a dataset: their keys are kept in memory while it is checked. */
export const MAX_DATASET_MOVEMENTS = 200_000;

/** A movement message, and who lodges it. The message is judged by the rules of movement messages, and not by a schema. */
export const DatasetMovement = Type.Object(
  {
    identity: Type.String({
      minLength: 1,
      maxLength: 60,
      description:
        'The identity that lodges it: one of every playground, or of a line before, with the scope of the mode',
      examples: ['carrier'],
    }),
    mode: Type.Enum(keysOf(modes), { description: 'The mode of transport' }),
    level: Type.Enum(keysOf(movementLevels), { description: 'What the message is about' }),
    message: Type.Object(
      {},
      {
        description:
          'The message, as its body is when it is lodged. Its instants may count from the start of the playground: a sign, a number and one of the units s, m, h and d, such as `+2h` or `-30m`',
      },
    ),
  },
  {
    $id: 'DatasetMovement',
    additionalProperties: false,
    description: 'A movement message that is lodged before the playground listens',
  },
);
export type DatasetMovement = {
  identity: string;
  mode: ModeName;
  level: MovementLevel;
  message: Readonly<Record<string, unknown>>;
};

const MovementLine = Type.Object({ movement: DatasetMovement }, onlyMember);
export type MovementLine = { movement: DatasetMovement };

/** A document of another register; its rules are those of an upload. */
const ReferenceDocumentLine = Type.Object({ referenceDocument: RegisteredReference }, onlyMember);

/**
 * The kinds of lines. The member that only one kind has is the discriminator; lines of declarations and house
 * consignments are the same as in an upload to `POST /entry-summary-declarations`.
 */
export const datasetLineSchemas = {
  dataset: DatasetHeaderLine,
  identity: IdentityLine,
  houseConsignments: EntrySummaryDeclaration,
  houseConsignment: HouseConsignmentLine,
  decision: DecisionLine,
  scenario: ScenarioLine,
  referenceDocument: ReferenceDocumentLine,
  movement: MovementLine,
} as const;

/** The member that is only in lines of one kind. */
export type DatasetDiscriminator = keyof typeof datasetLineSchemas;

/** What one line of a dataset contains. */
export type DatasetEntry =
  | { kind: 'dataset'; dataset: DatasetDescription }
  | { kind: 'identity'; identity: DatasetIdentity }
  | { kind: 'declaration'; declaration: EntrySummaryDeclaration }
  | { kind: 'houseConsignment'; line: HouseConsignmentLine }
  | { kind: 'decision'; decision: DatasetDecision }
  | { kind: 'scenario'; scenario: Scenario }
  | { kind: 'referenceDocument'; document: RegisteredReference }
  /** Its submitter is the organisation of its identity. */
  | { kind: 'movement'; movement: DatasetMovement; submitter: string };
