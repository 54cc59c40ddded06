// The addresses of the registry: put, read and withdraw an ENS, and register very many line by line.
import { Readable } from 'node:stream';
import { type EntrySummaryDeclarationResult, MRN_PATTERN, operations } from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller.js';
import { type BlockLimits, NDJSON, readBlocks, readNdjsonAsStream } from '../http/ndjson.js';
import { addOperation, type RouteContext, refuse } from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { streamResponse } from '../http/stream-response.js';
import { importLines } from './import-lines.js';
import { readDeclaration } from './read-registrable.js';
import type { Register } from './register.js';
import type { Registration } from './registration.js';
import type { WithdrawDeclaration } from './withdraw-declaration.js';

/** How much of an upload is one transaction, and how long a line may be. */
const BLOCK: BlockLimits = { lines: 4000, bytes: 1024 * 1024, line: 512 * 1024 };

/** What the routes need. */
export type RegistryContext = {
  register: Register;
  withdrawDeclaration: WithdrawDeclaration;
  /** Gives an ENS as JSON text, in parts. */
  getDeclaration: (mrn: string) => Promise<AsyncGenerator<string> | undefined>;
  /** Whether a reference number is in CL141 on a day. */
  isCustomsOffice: (referenceNumber: string, on: Date) => boolean;
};

const mrnPattern = new RegExp(MRN_PATTERN);

export function addRegistryRoutes(http: RouteContext, context: RegistryContext): void {
  addPutDeclaration(http, context);
  addGetDeclaration(http, context);
  addDeleteDeclaration(http, context);
  addPostDeclarations(http, context);
}

function addPutDeclaration(http: RouteContext, context: RegistryContext): void {
  addOperation(http, operations.putEntrySummaryDeclaration, async (request, reply, caller) => {
    const registration = registrationOf(request, caller);
    const mrn = readMrn(request);
    const read = readDeclaration(mrn, request.body, (office) =>
      context.isCustomsOffice(office, registration.at),
    );
    if (!read.valid) throw new ValidationFailedError(read.errors);
    const [outcome] = await context.register([read.registrable], registration);
    if (outcome === undefined) throw new Error('a registration has no outcome');
    if ('errors' in outcome) throw new ValidationFailedError(outcome.errors);
    const { status, changed, houses } = outcome;
    const result: EntrySummaryDeclarationResult = {
      mrn,
      status,
      ...(changed.length > 0 && { changed: [...changed] }),
      houseConsignments: houses,
    };
    return reply.code(status === 'REGISTERED' ? 201 : 200).send(result);
  });
}

function addGetDeclaration(http: RouteContext, context: RegistryContext): void {
  addOperation(http, operations.getEntrySummaryDeclaration, async (request, reply) => {
    const mrn = readMrn(request);
    const parts = await context.getDeclaration(mrn);
    if (parts === undefined) throw notFound(mrn);
    return reply.type('application/json').send(Readable.from(parts));
  });
}

function addDeleteDeclaration(http: RouteContext, context: RegistryContext): void {
  addOperation(http, operations.deleteEntrySummaryDeclaration, async (request, _reply, caller) => {
    const mrn = readMrn(request);
    const withdrawal = await context.withdrawDeclaration(mrn, registrationOf(request, caller));
    if (withdrawal === undefined) throw notFound(mrn);
    if ('errors' in withdrawal) throw new ValidationFailedError(withdrawal.errors);
    const { removed } = withdrawal;
    const result: EntrySummaryDeclarationResult = {
      mrn,
      status: 'WITHDRAWN',
      houseConsignments: { added: 0, changed: 0, removed, unchanged: 0 },
    };
    return result;
  });
}

function addPostDeclarations(http: RouteContext, context: RegistryContext): void {
  readNdjsonAsStream(http.app);
  addOperation(http, operations.postEntrySummaryDeclarations, async (request, reply, caller) => {
    const { body } = request;
    if (!(body instanceof Readable)) throw new HttpError(400, 'The body is empty');
    return streamResponse(reply, NDJSON, body, (add) =>
      importLines(readBlocks(body, BLOCK), {
        register: context.register,
        isCustomsOffice: (office) => context.isCustomsOffice(office, new Date()),
        registration: () => registrationOf(request, caller),
        tell: add,
      }),
    );
  });
}

function registrationOf({ id }: FastifyRequest, caller: Caller): Registration {
  const { organisationId, organisation, clientId: client } = caller;
  return { at: new Date(), actor: { organisationId, organisation, client }, requestId: id };
}

function readMrn(request: FastifyRequest): string {
  // The cast is true because the operation's path has this parameter.
  const { mrn } = request.params as { mrn: string };
  if (!mrnPattern.test(mrn)) {
    refuse({
      field: 'mrn',
      error: 'must be an MRN: two digits, a country code, fourteen capital letters or digits',
      code: 'FORMAT',
    });
  }
  return mrn;
}

function notFound(mrn: string): HttpError {
  return new HttpError(404, `No entry summary declaration ${mrn} is registered`);
}
