// HTTP of lodging, replacing and cancelling movement messages.
import {
  isMrn,
  keysOf,
  type MovementLevel,
  movementLevels,
  type Operation,
  operations,
} from '@landfall/contract';
import type { Caller } from '../http/caller.js';
import { waitForTurn } from '../http/long-bodies.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { kindOf, messageNotFound } from './address-http.js';
import { cancelMovement } from './cancel-movement.js';
import type { ChangeContext } from './change-movement.js';
import { type LodgedBefore, selectLodged } from './changing-queries.js';
import { findRegisters, type RegisterSources } from './find-registers.js';
import {
  type LodgeContext,
  type LodgeRequest,
  makeLodgeMovement,
  type Recorded,
} from './lodge-movement.js';
import type { MessageKind } from './message-kind.js';
import {
  checkBody,
  type FindParties,
  type MovementRequest,
  readMovementRequest,
} from './movement-request.js';
import { replaceMovement } from './replace-movement.js';
import { accept, readAnyBody, refusedAtOnce } from './request-http.js';

/** What the routes need. */
export type LodgingContext = LodgeContext &
  ChangeContext & {
    findParties: FindParties;
    /** Where it is looked up what registers say of a message. */
    sources: RegisterSources;
  };

const lodgeOperations = {
  transport: operations.lodgeTransport,
  'master-consignment': operations.lodgeMasterConsignment,
  'house-consignment': operations.lodgeHouseConsignment,
} as const satisfies Record<MovementLevel, Operation>;

const replaceOperations = {
  transport: operations.replaceTransport,
  'master-consignment': operations.replaceMasterConsignment,
  'house-consignment': operations.replaceHouseConsignment,
} as const satisfies Record<MovementLevel, Operation>;

const levels = keysOf(movementLevels);

/** Who lodges without a request. */
export type Submitting = Pick<Caller, 'organisationId' | 'organisation' | 'clientId'>;

/**
 * Lodges a message without a request, as the operation does. Its body names the requestId, under which its status is found.
 *
 * @throws ValidationFailedError when it is refused at once; then nothing is recorded
 */
export type LodgeMovement = (
  by: Submitting,
  about: MessageKind,
  body: Readonly<Record<string, unknown>>,
) => Promise<Recorded>;

/** Adds the routes, and returns how a message is lodged without a request. */
export async function addLodgingRoutes(
  http: RouteContext,
  context: LodgingContext,
): Promise<LodgeMovement> {
  const lodgeMovement = makeLodgeMovement(context);
  for (const level of levels) {
    addOperation(http, lodgeOperations[level], async ({ params, body, caller, request, reply }) => {
      await waitForTurn(request);
      const about = kindOf({ ...params, level });
      const lodged = readMovementRequest(caller, body, about);
      return accept(http, reply, lodged, await lodgeMovement(await judge(lodged, body)));
    });

    addOperation(
      http,
      replaceOperations[level],
      async ({ params, body, caller, request, reply }) => {
        await waitForTurn(request);
        const about = kindOf({ ...params, level });
        const { mrn } = params;
        const { body: before, ...submitter } = await findLodged(mrn, caller, about);
        const replacing = readMovementRequest(caller, body, about, submitter);
        const replaces: unknown = before === null ? undefined : JSON.parse(before);
        const recorded = await replaceMovement(
          context,
          mrn,
          await judge(replacing, body, replaces),
        );
        return accept(http, reply, replacing, recorded ?? messageNotFound(mrn));
      },
    );
  }

  await http.app.register(async (app) => {
    readAnyBody(app);
    addOperation({ ...http, app }, operations.cancelMovement, async (call) => {
      const { params, body, caller, reply } = call;
      const about = kindOf(params);
      const { mrn } = params;
      const { body: _, ...submitter } = await findLodged(mrn, caller, about);
      const cancelling = readMovementRequest(caller, body, about, submitter);
      const recorded = await cancelMovement(context, mrn, cancelling);
      return accept(http, reply, cancelling, recorded ?? messageNotFound(mrn));
    });
  });

  return async (by, about, body) =>
    lodgeMovement(await judge(readMovementRequest(by, body, about), body));

  /** Judges a body; one that is refused at once ends the request. */
  async function judge(
    request: MovementRequest,
    body: unknown,
    replaces?: unknown,
  ): Promise<LodgeRequest> {
    const { submitter } = request;
    const now = http.clock();
    const found = await findRegisters(context.sources, body, request, now);
    const registers = {
      ...found,
      isKeyTaken: () => false,
      isCurrent: () => false,
      submitter: submitter.identifier,
    };
    const checked = checkBody(body, request, registers, now, replaces);
    if ('refused' in checked) throw refusedAtOnce(checked.refused, checked.errorCount);
    if ('errors' in checked) return { ...request, ...checked, body };
    const { message } = checked;
    const numbers = [message.representative ?? [], message.carrier ?? []].flat();
    const known = await context.findParties(numbers);
    const partyOf = (number: string | undefined) =>
      number === undefined ? undefined : known.get(number);
    const parties = {
      representative: partyOf(message.representative),
      carrier: partyOf(message.carrier),
    };
    return { ...request, message: { ...message, parties } };
  }

  /** The message that is to be changed: a house consignment that is in nothing has its submitter in its key. */
  async function findLodged(mrn: string, caller: Caller, kind: MessageKind): Promise<LodgedBefore> {
    const rows = isMrn(mrn)
      ? await context.database.query(selectLodged(mrn, caller.organisationId, kind))
      : [];
    const [lodged] = rows;
    if (lodged === undefined) throw messageNotFound(mrn);
    return lodged;
  }
}
