// What a test expects of the recorded requests.
import {
  compileCheck,
  operations,
  scenarioKindNames,
  type ValidationError,
} from '@landfall/contract';
import { ValidationFailedError } from '@landfall/service/assembly';
import { type Static, Type } from 'typebox';

/** The longest wait, in milliseconds. */
const MAX_WITHIN_MS = 60_000;

/** The highest number of requests that is expected: as many as are recorded. */
const MAX_TIMES = 500;

const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_TIMES, description });

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

/** What is expected; a request is counted if it fits every member but `times` and `within`. */
export const ExpectationSchema = Type.Object(
  {
    operation: Type.Optional(
      // The cast is true because these are the names of the table.
      Type.Enum(Object.keys(operations) as (keyof typeof operations)[], {
        description: 'The operation, such as presentHouseConsignment',
      }),
    ),
    identity: text(60, 'The name of the identity that sent it, such as carrier'),
    client: text(200, 'The id of the client that sent it'),
    organisation: text(60, 'The organisation that sent it, such as 0192:310000019'),
    method: Type.Optional(Type.Enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    path: text(2000, 'The path, without the query'),
    status: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 599, description: 'The status of the response' }),
    ),
    body: Type.Optional(
      Type.Unknown({
        description:
          'What the body of the request has at least: of an object these members, of an array exactly these items; a string is the whole body as text',
      }),
    ),
    scenario: Type.Optional(
      Type.Enum(scenarioKindNames, {
        description: 'The kind of a scenario that took effect on it',
      }),
    ),
    times: Type.Optional(
      Type.Union(
        [
          count('Exactly so many'),
          Type.Object(
            {
              atLeast: Type.Optional(count('So many or more')),
              atMost: Type.Optional(count('So many or fewer')),
            },
            { additionalProperties: false, minProperties: 1 },
          ),
        ],
        { description: 'How many such requests are expected; default: at least 1' },
      ),
    ),
    within: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WITHIN_MS,
        description:
          'How long to wait until there are enough, in milliseconds of real time; when only too many can be wrong, the whole time. Default: 0',
      }),
    ),
  },
  { additionalProperties: false },
);

/** What a test expects. */
export type Expectation = Static<typeof ExpectationSchema>;

const check = compileCheck<Expectation>(ExpectationSchema);

/** How many requests are expected. */
export type Times = { atLeast: number; atMost: number };

/** @throws ValidationFailedError that names each member and its rule */
export function readExpectation(value: unknown): Expectation & { times: Times } {
  const checked = check(value);
  if (!checked.valid) throw new ValidationFailedError(checked.errors);
  const times = readTimes(checked.value.times);
  if (times.atLeast > times.atMost) {
    const error: ValidationError = {
      field: 'times.atLeast',
      error: 'must not be more than atMost',
      code: 'FORMAT',
    };
    throw new ValidationFailedError([error]);
  }
  return { ...checked.value, times };
}

function readTimes(times: Expectation['times']): Times {
  if (typeof times === 'number') return { atLeast: times, atMost: times };
  const { atLeast, atMost = Number.POSITIVE_INFINITY } = times ?? { atLeast: 1 };
  return { atLeast: atLeast ?? 0, atMost };
}
