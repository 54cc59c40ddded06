// Faults of requests about movement messages, and of how their bodies are read.
import { checkMovement, isObject, modes, uncheckedRegisters } from '@landfall/contract';
import {
  type Fault,
  firstCode,
  type Json,
  jsonOf,
  type ProxiedRequest,
  replace,
  respond,
  respondProblem,
} from './fault.js';
import {
  answersSome,
  changesBodies,
  isLodging,
  isReading,
  isSending,
  MadeStatuses,
  movementOf,
  movementStatusOf,
} from './movement-requests.js';

/** Whether a value within a JSON value is such. */
function has(value: Json, isSuch: (name: string, value: unknown) => boolean): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([name, inner]) => isSuch(name, inner) || has(inner, isSuch))
  );
}

/** Refuses messages whose body is such. */
const refuses = (isSuch: (body: Json, request: ProxiedRequest) => boolean) =>
  answersSome((request) =>
    isLodging(request) && isSuch(jsonOf(request), request)
      ? respondProblem(400, [{ field: '', error: 'is not taken', code: 'FORMAT' }])
      : undefined,
  );

/** Takes what the service refuses with one of these statuses. */
const takes =
  (isSuch: (request: ProxiedRequest) => boolean, ...refusals: number[]) =>
  () => {
    const statuses = new MadeStatuses();
    const behaviour: ReturnType<Fault['make']> = {
      onRequest: (request) => statuses.read(request),
      onResponse: (response, request) => {
        if (isSending(request) && refusals.includes(response.status) && isSuch(request)) {
          replace(response, statuses.succeed({ ...request, body: '{}' }));
        }
      },
    };
    return behaviour;
  };

const DIGITS =
  /^(?:containerIndicator|typeOfPerson|typeOf.*Transport|typeOfIdentification|modeOf.*)$/;

export const movementRequestFaults: readonly Fault[] = [
  {
    name: 'has the status of a movement message a moment later',
    caughtBy: ['LODG-002', 'LODG-015'],
    make: () => {
      const asked = new Set<string>();
      return {
        onRequest: (request) => {
          const id = movementStatusOf(request)?.id;
          if (id === undefined || asked.has(id)) return undefined;
          asked.add(id);
          return respondProblem(404);
        },
      };
    },
  },
  {
    name: 'does not say where the status of a movement message is',
    caughtBy: ['LODG-001'],
    make: () => ({
      onResponse: (response, request) => {
        if (isSending(request)) delete response.headers.location;
      },
    }),
  },
  {
    name: 'takes any version of a mode',
    caughtBy: ['LODG-003'],
    make: () => ({
      onRequest: (request) => {
        const about = movementOf(request);
        if (about === undefined) return undefined;
        const own = `/${about.mode}/${modes[about.mode].version}/`;
        request.url.pathname = request.url.pathname.replace(/\/\w+\/v\d\//, own);
        return undefined;
      },
    }),
  },
  {
    name: 'shows the statuses of modes whose scope the token does not have',
    caughtBy: ['LODG-004'],
    make: () => {
      let sender = '';
      return {
        onResponse: async (response, request, forward) => {
          if (isSending(request) && response.status === 202) {
            sender = request.headers.authorization ?? '';
          }
          if (movementStatusOf(request) === undefined || response.status !== 403) return;
          replace(response, await forward({ ...request, headers: { authorization: sender } }));
        },
      };
    },
  },
  {
    name: 'sends 403 for movement messages of others',
    caughtBy: ['LODG-005'],
    make: () => {
      const known = new Set<string>();
      return {
        onResponse: (response, request) => {
          const mrn = jsonOf(response)?.mrn ?? movementOf(request)?.id ?? '';
          if (response.status === 200) known.add(mrn);
          if (isReading(request) && response.status === 404 && known.has(mrn)) {
            replace(response, respondProblem(403));
          }
        },
      };
    },
  },
  {
    name: 'does not let foreign businesses lodge',
    caughtBy: ['LODG-006'],
    make: () => ({
      onRequest: (request) => {
        const [, claims = ''] = (request.headers.authorization ?? '').split('.');
        const isForeign = Buffer.from(claims, 'base64url').toString().includes('eu/movement');
        return isForeign && isSending(request) ? respondProblem(403) : undefined;
      },
    }),
  },
  {
    name: 'has test-auth for road alone',
    caughtBy: ['LODG-007'],
    make: () => ({
      onRequest: ({ url }) =>
        /\/(?:air|rail|maritime)\/v\d\/test-auth$/.test(url.pathname)
          ? respondProblem(404)
          : undefined,
    }),
  },
  {
    name: 'uses up the requestId of a message that it refuses at once',
    caughtBy: ['LODG-011'],
    make: () => {
      const used = new Set<string>();
      return {
        onRequest: (request) =>
          isSending(request) && used.has(jsonOf(request)?.requestId)
            ? respondProblem(400, [
                { field: 'requestId', error: 'was used before', code: 'REQUEST_ID_REUSED' },
              ])
            : undefined,
        onResponse: (response, request) => {
          const id = jsonOf(request)?.requestId;
          if (isSending(request) && response.status === 400 && id !== undefined) used.add(id);
        },
      };
    },
  },
  {
    name: 'names a missing object without what is below it',
    caughtBy: ['LODG-012'],
    make: () => ({
      onResponse: (response, request) => {
        if (!isLodging(request) || response.status !== 400) return;
        const { validationErrors = [] } = jsonOf(response) ?? {};
        const objects = validationErrors.filter(({ field }: Json) => !field.includes('.'));
        replace(response, respondProblem(400, objects));
      },
    }),
  },
  {
    name: 'ignores the requestId of a movement message',
    caughtBy: ['LODG-013', 'LODG-015'],
    make: changesBodies(({ requestId: _, ...body }) => body),
  },
  {
    name: 'takes the requestId of a movement message twice',
    caughtBy: ['LODG-014'],
    make: () => ({
      onResponse: async (response, request, forward) => {
        if (!isSending(request) || firstCode(response) !== 'REQUEST_ID_REUSED') return;
        const { requestId: _, ...body } = jsonOf(request);
        replace(response, await forward({ ...request, body: JSON.stringify(body) }));
      },
    }),
  },
  {
    name: 'reads a cancellation as JSON alone',
    caughtBy: ['LODG-016'],
    make: () => ({
      onRequest: (request) =>
        isSending(request) &&
        request.method === 'DELETE' &&
        !/json/.test(request.headers['content-type'] ?? 'json')
          ? respondProblem(415)
          : undefined,
    }),
  },
  {
    name: 'takes movement messages of any size',
    caughtBy: ['LODG-017'],
    make: takes(() => true, 413),
  },
  {
    name: 'takes null for a value',
    caughtBy: ['BODY-001'],
    make: refuses((body) => has(body, (_, value) => value === null)),
  },
  {
    name: 'refuses members of movement messages that it does not know',
    caughtBy: ['BODY-002'],
    make: refuses((body, request) => {
      const { mode, level } = movementOf(request) ?? { mode: 'road', level: 'transport' };
      const context = { mode, level, registers: uncheckedRegisters, now: new Date() };
      const read = checkMovement(body, context);
      if (!read.accepted || !isObject(read.body)) return false;
      const known = read.body;
      return Object.keys(body).some((name) => name !== 'requestId' && known[name] === undefined);
    }),
  },
  {
    name: 'reads codes of digits as text alone',
    caughtBy: ['BODY-003'],
    make: refuses((body) =>
      has(body, (name, value) => DIGITS.test(name) && Number.isSafeInteger(value)),
    ),
  },
  {
    name: 'takes each text for true',
    caughtBy: ['BODY-004'],
    make: changesBodies((body) =>
      JSON.parse(JSON.stringify(body).replaceAll(/:"(?:true|false)"/gi, ':true')),
    ),
  },
  {
    name: 'reads receptacles as a list alone',
    caughtBy: ['BODY-005'],
    make: refuses((body) => isObject(body?.consignmentMasterLevel?.consignmentHouseLevel)),
  },
  {
    name: 'takes the last of two members with one name',
    caughtBy: ['BODY-006'],
    make: changesBodies((body) => body),
  },
  {
    name: 'takes any time zone for UTC',
    caughtBy: ['BODY-007'],
    make: changesBodies((body) =>
      JSON.parse(JSON.stringify(body).replaceAll(/(T\d\d:\d\d:\d\d)[+]01:00"/g, '$1Z"')),
    ),
  },
  {
    name: 'trims texts',
    caughtBy: ['BODY-008'],
    make: changesBodies((body) =>
      JSON.parse(JSON.stringify(body), (_, value) =>
        typeof value === 'string' ? value.trim() || value : value,
      ),
    ),
  },
  {
    name: 'writes the indexes of paths after dots',
    caughtBy: ['BODY-009'],
    make: () => ({
      onResponse: (response, request) => {
        if (isSending(request)) response.body = response.body.replaceAll(/\[(\d+)\]/g, '.$1');
      },
    }),
  },
  {
    name: 'knows one name of the code of goods alone',
    caughtBy: ['BODY-010'],
    make: refuses((body) => has(body, (name) => name === 'harmonizedSystemSubHeadingCode')),
  },
  {
    name: 'leaves out the house consignments inside master consignments of a transport',
    caughtBy: ['BODY-011'],
    make: changesBodies((body, request) => {
      if (movementOf(request)?.level === 'transport') {
        for (const master of body.consignmentMasterLevel ?? []) delete master.consignmentHouseLevel;
      }
      return body;
    }),
  },
  {
    name: 'takes movement messages that are no objects',
    caughtBy: ['BODY-012'],
    make: takes((request) => !isObject(jsonOf(request)), 400),
  },
  {
    name: 'refuses a transport that is expected late',
    caughtBy: ['BODY-013'],
    make: refuses(
      (body) => body?.estimatedDateAndTimeOfArrival > body?.scheduledDateAndTimeOfArrival,
    ),
  },
  {
    name: 'answers a cancellation with 200',
    caughtBy: ['LODG-001'],
    make: () => ({
      onResponse: (response, request) => {
        if (isSending(request) && request.method === 'DELETE' && response.status === 202) {
          replace(response, respond(200, jsonOf(response)));
        }
      },
    }),
  },
];
