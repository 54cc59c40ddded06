// Queries of what couples, and messages that couple.
import type { Caller, CallOptions, OperationId } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import { expectSchema, expectStatus } from '../suite/expect.js';
import { newDocumentNumber } from './identifiers.js';
import {
  alone,
  type Changes,
  HOUSE,
  MASTER,
  makeMovement,
  undocumented,
} from './movement-messages.js';
import { lodge, pathOf } from './movements.js';

/** A document of the messages of a journey. */
export const documentOf = (documentNumber: string) => ({ documentNumber, type: 'N730' });

/** Numbers and a carrier that nothing else has. */
export function newJourney(caller: Caller) {
  const carrier = newDocumentNumber();
  const weightOf = { master: 1200.5, house: 800.25 };
  const send = async (level: Parameters<typeof lodge>[2], changes: Changes) =>
    (await lodge(caller, 'road', level, makeMovement(level, 'road', changes))).mrn;
  return {
    carrier,
    weightOf,
    transport: (
      { masters = [], houses = [] }: { masters?: readonly string[]; houses?: readonly string[] },
      carrierNumber = carrier,
    ) =>
      send('transport', {
        'carrier.identificationNumber': carrierNumber,
        [MASTER]: masters.map((number) => ({ transportDocumentMasterLevel: documentOf(number) })),
        [HOUSE]: houses.map((number) => ({ transportDocumentHouseLevel: documentOf(number) })),
      }),
    master: (number: string, receptacles: readonly string[] = []) =>
      send('master-consignment', {
        [`${MASTER}.carrier.identificationNumber`]: carrier,
        [`${MASTER}.transportDocumentMasterLevel`]: documentOf(number),
        [`${MASTER}.grossMass`]: weightOf.master,
        [`${MASTER}.${HOUSE}`]:
          receptacles.length === 0
            ? undefined
            : [{ receptacle: receptacles.map((id) => ({ receptacleIdentificationNumber: id })) }],
      }),
    house: (
      number: string,
      on: { master: string } | { receptacle: string } | 'transport',
      { isComplete = true } = {},
    ) =>
      send('house-consignment', {
        ...alone,
        [`${HOUSE}.transportDocumentHouseLevel`]: documentOf(number),
        [`${HOUSE}.totalGrossMass`]: weightOf.house,
        ...(on === 'transport'
          ? {
              [`${HOUSE}.directConsignment`]: true,
              [`${HOUSE}.transportLevel`]: { carrierIdentificationNumber: carrier },
            }
          : 'master' in on
            ? {
                [`${HOUSE}.${MASTER}`]: {
                  carrierIdentificationNumber: carrier,
                  transportDocumentMasterLevel: documentOf(on.master),
                },
              }
            : { [`${HOUSE}.receptacleIdentificationNumber`]: on.receptacle }),
        ...(!isComplete && undocumented),
      }),
  };
}

/** Asks; returns whatever the service responds. */
export function tryQuery(
  caller: Caller,
  operation: OperationId,
  path: Record<string, string>,
  options: CallOptions = {},
): Promise<HttpResponse> {
  return caller.call(operation, { path: pathOf('road', path), ...options });
}

/** Asks, and reads the response. */
export async function query(
  caller: Caller,
  operation: OperationId,
  path: Record<string, string>,
  options: CallOptions = {},
): Promise<unknown> {
  const response = await tryQuery(caller, operation, path, options);
  expectStatus(response, 200);
  expectSchema(operation, response);
  return JSON.parse(response.text);
}
