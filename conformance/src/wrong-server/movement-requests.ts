// Which requests are about movement messages, and statuses that the wrong server has made up.
import { randomUUID } from 'node:crypto';
import type { ModeName, MovementLevel } from '@landfall/contract';
import {
  type Behaviour,
  changeJson,
  type Json,
  jsonOf,
  type ProxiedRequest,
  type ProxiedResponse,
  replace,
  respond,
} from './fault.js';

/** What a request is about. */
type About = { mode: ModeName; version: string; level: MovementLevel; id: string | undefined };

const LEVEL = '(transport|master-consignment|house-consignment)';
const message = new RegExp(`^/api/movement/(road|air|rail|maritime)/(v\\d)/${LEVEL}(?:/([^/]+))?$`);
const status = new RegExp(
  `^/api/movement/(road|air|rail|maritime)/status/(v\\d)/${LEVEL}/validation-status/([^/]+)$`,
);

function read(pattern: RegExp, { url }: ProxiedRequest): About | undefined {
  const [, mode, version = '', level, id] = pattern.exec(url.pathname) ?? [];
  if (mode === undefined) return undefined;
  // The casts are true because the pattern names every mode and level.
  return { mode: mode as ModeName, version, level: level as MovementLevel, id };
}

/** The message that a request is about; its id is the MRN. */
export const movementOf = (request: ProxiedRequest) => read(message, request);

/** The status that a request reads; its id is the requestId. */
export const movementStatusOf = (request: ProxiedRequest) =>
  request.method === 'GET' ? read(status, request) : undefined;

/** Whether a request lodges. */
export const isLodging = (request: ProxiedRequest) =>
  request.method === 'POST' && movementOf(request) !== undefined;

/** Whether a request lodges, replaces or cancels. */
export const isSending = (request: ProxiedRequest) =>
  request.method !== 'GET' && movementOf(request) !== undefined;

/** Whether a request reads one message. */
export const isReading = (request: ProxiedRequest) =>
  request.method === 'GET' && movementOf(request)?.id !== undefined;

/** Whether a request reads the list of messages. */
export const isList = (request: ProxiedRequest) => {
  const about = movementOf(request);
  return request.method === 'GET' && about !== undefined && about.id === undefined;
};

/** The document of a house or master consignment, or the means of a transport. */
export function documentOfBody(body: Json): string {
  const house = body?.consignmentHouseLevel?.transportDocumentHouseLevel;
  const master = body?.consignmentMasterLevel?.transportDocumentMasterLevel;
  return JSON.stringify(house ?? master ?? body?.activeBorderTransportMeans ?? null);
}

/** Changes each status of a request about a movement message. */
export function changesMovementStatuses(change: (status: Json) => Json): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (movementStatusOf(request) !== undefined && response.status === 200) {
        changeJson(response, change);
      }
    },
  });
}

const made = '26NO000000000000T0';

/** Makes a success of a status whose broken rules are all such. */
export function forgives(isSuch: (error: Json, status: Json) => boolean): () => Behaviour {
  return changesMovementStatuses((found) => {
    const { validationErrorList = [], ...about } = found;
    const rest = validationErrorList.filter((error: Json) => !isSuch(error, found));
    if (rest.length === validationErrorList.length) return found;
    if (rest.length > 0) return { ...found, validationErrorList: rest };
    return { ...about, status: 'SUCCESS', mrn: made };
  });
}

/** Changes the body of each request that sends a message. */
export function changesBodies(
  change: (body: Json, request: ProxiedRequest) => Json,
): () => Behaviour {
  return () => ({
    onRequest: (request) => {
      if (!isSending(request) || request.method === 'DELETE') return undefined;
      const body = jsonOf({ body: Buffer.from(request.body, 'latin1').toString() });
      if (typeof body !== 'object' || body === null) return undefined;
      request.body = Buffer.from(JSON.stringify(change(body, request))).toString('latin1');
      return undefined;
    },
  });
}

/** Reads with the tokens of others what is 404 for a caller. */
export const readsAsOthers = (isSuch: (request: ProxiedRequest) => boolean) => () => {
  const tokens = new Set<string>();
  const behaviour: Behaviour = {
    onResponse: async (response, request, forward) => {
      tokens.add(request.headers.authorization ?? '');
      if (!isSuch(request) || response.status !== 404) return;
      for (const authorization of tokens) {
        const other = await forward({ ...request, headers: { authorization } });
        if (other.status === 200) replace(response, other);
      }
    },
  };
  return behaviour;
};

/** Statuses of the wrong server itself. */
export class MadeStatuses {
  readonly #statuses = new Map<string, Json>();

  /** Answers a request with a status of its own. */
  accept(request: ProxiedRequest, outcome: Json): ProxiedResponse {
    const { mode, version, level } = movementOf(request) ?? {
      mode: 'road',
      version: 'v2',
      level: 'transport',
    };
    const requestId = jsonOf(request)?.requestId ?? randomUUID();
    this.#statuses.set(requestId, {
      requestId,
      notificationDate: new Date().toISOString(),
      mode,
      level: level.toUpperCase().replaceAll('-', '_'),
      operation: { POST: 'LODGE', PUT: 'REPLACE', DELETE: 'CANCEL' }[request.method],
      ...outcome,
    });
    const response = respond(202, { requestId });
    const path = `/api/movement/${mode}/status/${version}/${level}/validation-status/${requestId}`;
    response.headers.location = new URL(path, request.url).href;
    return response;
  }

  /** Answers a request with a success of its own. */
  succeed(request: ProxiedRequest, reasons: readonly string[] = []): ProxiedResponse {
    return this.accept(request, {
      status: 'SUCCESS',
      mrn: made,
      ...(reasons.length > 0 && { incompleteDocumentationReasonList: reasons }),
    });
  }

  /** Answers a request with a failure of its own. */
  fail(
    request: ProxiedRequest,
    ...errors: { code: string; field: string; error: string }[]
  ): ProxiedResponse {
    const validationErrorList = errors.map(({ code, field, error }) => ({
      description: error,
      code,
      pointer: { messageElementPath: field },
    }));
    return this.accept(request, { status: 'FAILURE', validationErrorList });
  }

  /** The answer to a request for a status of its own. */
  read(request: ProxiedRequest): ProxiedResponse | undefined {
    const found = this.#statuses.get(movementStatusOf(request)?.id ?? '');
    return found === undefined ? undefined : respond(200, found);
  }
}

/** A server that answers some requests by itself. */
export function answersSome(
  answer: (request: ProxiedRequest, statuses: MadeStatuses) => ProxiedResponse | undefined,
): () => Behaviour {
  return () => {
    const statuses = new MadeStatuses();
    return { onRequest: (request) => statuses.read(request) ?? answer(request, statuses) };
  };
}
