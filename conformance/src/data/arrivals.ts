// Transports that arrive in cases, and what hangs on them.
import { formatScope } from '@landfall/contract';
import type { Caller } from '../http/caller.js';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { newDocumentNumber } from './identifiers.js';
import { lodgeGoods } from './lodged-goods.js';
import { type Changes, HOUSE, MASTER, makeMovement } from './movement-messages.js';
import { lodge, mover } from './movements.js';

const CARRIER = 'NO888888888';
/** The customs office of arrival. */
export const OFFICE = 'NO371001';

/** Whoever lodges by road and reports arrivals. Throws NotTestedError if its identity lacks the scopes. */
export function reporter(context: CaseContext, role: Role = 'presenter'): Caller {
  const { scopePrefix: prefix } = context.settings;
  const scope = formatScope('movement/transportarrival', { prefix });
  if (!context.identity(role).scopes.includes(scope)) {
    throw new NotTestedError(`the identity "${role}" in the settings has not the scope ${scope}`);
  }
  return mover(context, role, ['road']);
}

/** Lodges a transport with one master consignment, with changes. */
export async function lodgeTransport(caller: Caller, changes: Changes = {}) {
  const document = { documentNumber: newDocumentNumber(), type: 'N730' };
  const message = makeMovement('transport', 'road', {
    'carrier.identificationNumber': CARRIER,
    [MASTER]: [{ transportDocumentMasterLevel: document }],
    [HOUSE]: undefined,
    ...changes,
  });
  const place = await lodge(caller, 'road', 'transport', message);
  return { ...place, document, message };
}

/** Lodges the master consignment of a document. */
export async function lodgeMaster(
  caller: Caller,
  document: { documentNumber: string; type: string },
) {
  const message = makeMovement('master-consignment', 'road', {
    [`${MASTER}.transportDocumentMasterLevel`]: document,
    [`${MASTER}.carrier.identificationNumber`]: CARRIER,
    [`${MASTER}.${HOUSE}`]: undefined,
  });
  return lodge(caller, 'road', 'master-consignment', message);
}

/** Lodges goods under the master consignment of a document. */
export const lodgeHouse = (caller: Caller, document: { documentNumber: string; type: string }) =>
  lodgeGoods(caller, {
    [`${HOUSE}.${MASTER}`]: {
      carrierIdentificationNumber: CARRIER,
      transportDocumentMasterLevel: document,
    },
  });
