// What the control addresses of a playground return, as far as the command and programs elsewhere read it.
import { type Static, type TSchema, Type } from 'typebox';
import { findOddity } from './find-oddity.js';
import { HouseConsignment } from './house-consignment.js';
import { PlaygroundCredentials } from './playground.js';
import { TransportDocument } from './transport-document.js';

const Snapshot = Type.Object({ name: Type.String(), takenAt: Type.String() });

/** Parameters of its kind, and what limits it, are further members. */
const ScenarioState = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  createdAt: Type.String(),
  applied: Type.Number(),
  active: Type.Boolean(),
  remaining: Type.Optional(Type.Number()),
  endsAt: Type.Optional(Type.String()),
  operation: Type.Optional(Type.String()),
  identity: Type.Optional(Type.String()),
  reference: Type.Optional(Type.String()),
  seed: Type.Optional(Type.Number()),
});

const HostedSpace = Type.Object({
  name: Type.String(),
  organisation: Type.String(),
  address: Type.String(),
  createdAt: Type.String(),
  usedAt: Type.String(),
  bytes: Type.Number(),
  active: Type.Boolean(),
});

const counts = {
  houseConsignments: Type.Number(),
  presented: Type.Number(),
  decided: Type.Number(),
  masterConsignments: Type.Number(),
  receptacles: Type.Number(),
  containers: Type.Number(),
};

const group = <Level extends string, Reference extends Record<string, TSchema>>(
  level: Level,
  reference: Reference,
) => Type.Object({ level: Type.Literal(level), ...reference, ...counts });

const Presentable = Type.Union([
  Type.Object({ level: Type.Literal('HOUSE_CONSIGNMENT'), ...HouseConsignment.properties }),
  group('ENTRY_SUMMARY_DECLARATION', { mrn: Type.String() }),
  group('MASTER_CONSIGNMENT', { transportDocumentMasterLevel: TransportDocument }),
  group('RECEPTACLE', { receptacleId: Type.String() }),
  group('CONTAINER', { containerId: Type.String() }),
]);

/** The addresses of a playground or a space, and its identities. */
const access = {
  baseUrl: Type.String(),
  idpUrl: Type.String(),
  identities: Type.Array(PlaygroundCredentials),
};

/** Of a recorded request, what every one has. */
const Exchange = Type.Object({
  startedAt: Type.String(),
  method: Type.String(),
  url: Type.String(),
  httpVersion: Type.String(),
  request: Type.Object({
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
});

/** Results by what they are, as messages name it. Those that are nothing are not here. */
export const controlResults = {
  snapshots: Type.Object({ snapshots: Type.Array(Snapshot) }),
  snapshot: Snapshot,
  scenarios: Type.Object({ scenarios: Type.Array(ScenarioState) }),
  scenario: ScenarioState,
  spaces: Type.Object({ spaces: Type.Array(HostedSpace) }),
  'page of the dataset': Type.Object({
    entries: Type.Array(Presentable),
    next: Type.Optional(Type.String()),
  }),
  credentials: Type.Object(access),
  space: Type.Object({ name: Type.String(), ...access }),
  identity: PlaygroundCredentials,
  clock: Type.Object({ time: Type.String(), running: Type.Boolean() }),
  requests: Type.Object({ requests: Type.Array(Exchange) }),
};

/** The name of a result. */
export type ControlResultName = keyof typeof controlResults;

/** The result of a name. */
export type ControlResult<Name extends ControlResultName> = Static<(typeof controlResults)[Name]>;

/** What a call returns: the result of a name, or nothing. */
export type ControlResultOf<Expected extends ControlResultName | 'nothing'> =
  Expected extends ControlResultName ? ControlResult<Expected> : undefined;

/**
 * Reads what is expected from the text of a response.
 *
 * @throws ControlResultError
 */
export function readControlResult<Expected extends ControlResultName | 'nothing'>(
  expected: Expected,
  text: string,
): ControlResultOf<Expected> {
  // The cast is true because the value is compared with what is expected.
  return readExpected(expected, text) as ControlResultOf<Expected>;
}

function readExpected(expected: ControlResultName | 'nothing', text: string): unknown {
  if (expected === 'nothing') {
    if (text.trim() !== '') throw new ControlResultError('is not empty');
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ControlResultError('is not JSON', { cause });
  }
  const odd = findOddity(controlResults[expected], value);
  if (odd !== undefined) throw new ControlResultError(`does not have the ${expected}: ${odd}`);
  return value;
}

/** A text is not what is expected; the message goes on after "the response". */
export class ControlResultError extends Error {
  override name = 'ControlResultError';
}

/** What is printed of it. */
export type PlaygroundScenario = ControlResult<'scenario'>;
export type PlaygroundPresentable = Static<typeof Presentable>;
