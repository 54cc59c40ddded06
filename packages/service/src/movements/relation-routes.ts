// HTTP of relating two messages, and of cancelling that.
import { checkMovement, isMrn, operations, uncheckedRegisters } from '@landfall/contract';
import { modeOfAddress } from '../http/mode-of-address.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { messageNotFound } from './address-http.js';
import { cancelRelation } from './cancel-relation.js';
import { lodgeRelation, type RelationContext } from './lodge-relation.js';
import { readMovementRequest } from './movement-request.js';
import { accept, readAnyBody, refusedAtOnce } from './request-http.js';

export async function addRelationRoutes(
  http: RouteContext,
  context: RelationContext,
): Promise<void> {
  addOperation(http, operations.lodgeRelation, async ({ params, body, caller, reply }) => {
    const { name: mode } = modeOfAddress(params);
    const about = { mode, level: 'relation' } as const;
    const rules = { ...about, registers: uncheckedRegisters, now: http.clock() };
    const checked = checkMovement(body, rules);
    if (!checked.accepted && checked.phase === 'at once') {
      const errors = checked.errors.map(({ field, error, code }) => ({ field, error, code }));
      throw refusedAtOnce(errors, checked.errorCount);
    }
    const request = readMovementRequest(caller, body, about);
    return accept(http, reply, request, await lodgeRelation(context, request, body));
  });

  await http.app.register(async (app) => {
    readAnyBody(app);
    addOperation({ ...http, app }, operations.cancelRelation, async (call) => {
      const { params, body, caller, reply } = call;
      const { name: mode } = modeOfAddress(params);
      const { mrn } = params;
      const request = readMovementRequest(caller, body, { mode, level: 'relation' });
      const recorded = isMrn(mrn) ? await cancelRelation(context, mrn, request) : undefined;
      return accept(http, reply, request, recorded ?? messageNotFound(mrn));
    });
  });
}
