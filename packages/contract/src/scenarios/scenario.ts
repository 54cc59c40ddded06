// A scenario: its kind, the parameters of its kind, to which requests it applies, and for how long.
import { type Static, type TObject, Type } from 'typebox';
import { keysOf } from '../keys-of.js';
import { OneLine } from '../patterns.js';
import { decisionScenarios } from './decision-scenarios.js';
import { feedScenarios } from './feed-scenarios.js';
import { movementScenarios } from './movement-scenarios.js';
import { pushScenarios } from './push-scenarios.js';
import { requestScenarios } from './request-scenarios.js';
import type { OperationId, ScenarioKindDefinition } from './scenario-kind.js';
import { tokenScenarios } from './token-scenarios.js';

/** Every kind of scenario. */
export const scenarioKinds = {
  ...requestScenarios,
  ...feedScenarios,
  ...decisionScenarios,
  ...movementScenarios,
  ...pushScenarios,
  ...tokenScenarios,
};

/** The name of a kind, such as `lost-response`. */
export type ScenarioKind = keyof typeof scenarioKinds;

/** The name of a kind that applies to deliveries, in place of requests. */
export type DeliveryScenarioKind = keyof typeof pushScenarios;

/** The names of all kinds. */
export const scenarioKindNames = keysOf(scenarioKinds);

/** The definition of a kind. */
export function scenarioKind(kind: ScenarioKind): ScenarioKindDefinition {
  return scenarioKinds[kind];
}

/** How many scenarios a playground, and a dataset, may have. */
export const MAX_SCENARIOS = 100;

/** The maximum duration, in seconds: 10 years. */
const MAX_SECONDS = 10 * 366 * 24 * 3600;

/** To which requests a scenario applies, beside their operation. */
export const scenarioSelection = {
  identity: Type.Optional(
    Type.String({
      maxLength: 60,
      description: 'Only requests of the organisation of this identity; default: of all',
    }),
  ),
  reference: Type.Optional(
    OneLine(
      200,
      'Only requests that have this value in their body or address: a document number, receptacle, container, MRN or requestId; default: all',
    ),
  ),
};

/** The highest seed. */
export const MAX_SEED = 2 ** 31 - 1;

/** On which of the requests to which it applies a scenario takes effect, and for how long. */
export const scenarioDuration = {
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many requests to which it applies are left alone first; default: none',
    }),
  ),
  percent: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 99,
      description: 'On how many of 100 requests it takes effect, by chance; default: on all',
    }),
  ),
  seed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SEED,
      description:
        'What chance depends on: with the same seed, the same requests in the same order are affected alike. Default: one that is drawn, and shown',
    }),
  ),
  times: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many requests it takes effect on; default: any number',
    }),
  ),
  seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SECONDS,
      description: "When it ends, in seconds by the playground's clock; default: never",
    }),
  ),
};

const operationMember = (kind: ScenarioKind) => {
  const { operations, defaultOperations = operations } = scenarioKind(kind);
  const isLimited = defaultOperations.length < operations.length;
  return Type.Optional(
    Type.Enum([...operations], {
      description: `Only requests of this operation; default: ${isLimited ? 'the usual ones of this kind' : 'all of these'}`,
    }),
  );
};

/** The schema of a scenario of a kind. */
export function scenarioSchema(kind: ScenarioKind): TObject {
  const { parameters, effect, ofDeliveries = false, neverByChance = false } = scenarioKind(kind);
  const { percent, seed, ...duration } = scenarioDuration;
  return Type.Object(
    {
      kind: Type.Literal(kind),
      ...parameters,
      ...(ofDeliveries ? {} : { operation: operationMember(kind) }),
      ...scenarioSelection,
      ...duration,
      ...(neverByChance ? {} : { percent, seed }),
    },
    { $id: schemaName(kind), additionalProperties: false, description: effect },
  );
}

/** `LostResponseScenario` for `lost-response`. */
function schemaName(kind: ScenarioKind): string {
  const words = kind.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Scenario`;
}

type Selection = Static<TObject<typeof scenarioSelection>> & { operation?: OperationId };

/** A scenario of one kind. */
export type ScenarioOf<Kind extends ScenarioKind> = { kind: Kind } & Static<
  TObject<(typeof scenarioKinds)[Kind]['parameters']>
> &
  Selection &
  Static<TObject<typeof scenarioDuration>>;

/** A scenario: what happens to which requests, and for how long. */
export type Scenario = { [Kind in ScenarioKind]: ScenarioOf<Kind> }[ScenarioKind];
