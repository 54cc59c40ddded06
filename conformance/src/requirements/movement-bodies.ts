import { lodgeChanged, refuse } from '../data/lodge-changed.js';
import {
  alone,
  change,
  HOUSE,
  MASTER,
  MEANS,
  makeMovement,
  memberAt,
} from '../data/movement-messages.js';
import { brokenRules, expectBroken, lodge, lodgeForStatus, mover } from '../data/movements.js';
import { expectEqual } from '../suite/expect.js';
import { type Area, api, national } from '../suite/requirement.js';

const level = 'house-consignment';
const lodging = api('lodgeTransport', 'lodgeMasterConsignment', 'lodgeHouseConsignment');

export const movementBodies: Area = {
  name: 'Bodies of movement messages',
  requirements: [
    {
      id: 'BODY-001',
      sentence: 'A member that is null is absent.',
      sources: [lodging],
      needs: ['presenter'],
      cases: {
        'optional members at each level': async (context) => {
          const house = await lodgeChanged(context, level, {
            representative: null,
            [`${HOUSE}.receptacleIdentificationNumber`]: null,
            [`${HOUSE}.transportLevel`]: null,
            [`${HOUSE}.consignor.address.streetLine`]: null,
            [`${HOUSE}.consignor.address.poBox`]: '5',
          });
          expectEqual(Object.keys(house).sort(), [HOUSE, 'documentIssueDate'], 'the members');
          expectEqual(
            memberAt(house, `${HOUSE}.consignor.address.streetLine`),
            undefined,
            'street',
          );
          await lodgeChanged(context, 'transport', { [MASTER]: null, [HOUSE]: null });
          await lodgeChanged(context, 'master-consignment', { [`${MASTER}.${HOUSE}`]: null });
        },
        'mandatory members': async (context) => {
          const errors = await refuse(context, { [`${HOUSE}.goodsDescription`]: null });
          expectBroken(errors, 'REQUIRED', `${HOUSE}.goodsDescription`, 'must not be null');
        },
      },
    },
    {
      id: 'BODY-002',
      sentence: 'Members that the contract does not have are ignored.',
      sources: [lodging],
      needs: ['presenter'],
      cases: {
        'at the root, in an object and in a list': async (context) => {
          const house = await lodgeChanged(context, level, {
            somethingNew: { id: 1 },
            [`${HOUSE}.somethingNew`]: [1, 2],
            [`${HOUSE}.previousDocuments[0].somethingNew`]: 'x',
          });
          expectEqual(JSON.stringify(house).includes('somethingNew'), false, 'whether it is kept');
        },
      },
    },
    {
      id: 'BODY-003',
      sentence: 'Codes of digits are read as numbers and as text, and are the same.',
      sources: [lodging, national('Movement, examples')],
      needs: ['presenter'],
      cases: {
        'of a house consignment': async (context) => {
          const house = await lodgeChanged(context, level, {
            [`${HOUSE}.containerIndicator`]: 1,
            [`${HOUSE}.consignor.typeOfPerson`]: 2,
            [`${HOUSE}.previousDocuments[0].sequenceNumber`]: 1,
          });
          for (const [path, expected] of [
            [`${HOUSE}.containerIndicator`, '1'],
            [`${HOUSE}.consignor.typeOfPerson`, '2'],
            [`${HOUSE}.previousDocuments[0].sequenceNumber`, '1'],
          ] as const) {
            expectEqual(memberAt(house, path), expected, path);
          }
        },
        'of a transport, in its key too': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement('transport', 'road');
          await lodge(caller, 'road', 'transport', message);
          const asNumbers = change(message, {
            [`${MEANS}.typeOfIdentification`]: 30,
            [`${MEANS}.modeOfTransportCode`]: 3,
            [`${MEANS}.typeOfMeansOfTransport`]: 31,
          });
          const status = await lodgeForStatus(caller, 'road', 'transport', asNumbers);
          expectBroken(brokenRules(status), 'DUPLICATE', `${MEANS}.identificationNumber`);
        },
        'no other number': async (context) => {
          for (const value of [1.5, -1, true, ['1']]) {
            const errors = await refuse(context, { [`${HOUSE}.containerIndicator`]: value });
            expectBroken(errors, 'FORMAT', `${HOUSE}.containerIndicator`);
          }
        },
      },
    },
    {
      id: 'BODY-004',
      sentence: 'Booleans are also read as the texts TRUE and FALSE in any case.',
      sources: [lodging, national('Movement, examples')],
      needs: ['presenter'],
      cases: {
        'hasOutgoingProcedure, which decides whether one is needed': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const procedure = { importProcedure: 'COLLECTIVE_RELEASE' };
          for (const [given, reasons] of [
            [false, undefined],
            ['FALSE', undefined],
            ['false', undefined],
            ['False', undefined],
            ['TRUE', ['INCOMPLETE_DOCUMENTATION']],
            ['true', ['INCOMPLETE_DOCUMENTATION']],
          ] as const) {
            const message = makeMovement(level, 'road', {
              [`${HOUSE}.importProcedure`]: { ...procedure, hasOutgoingProcedure: given },
              [`${HOUSE}.previousDocuments`]: undefined,
              [`${HOUSE}.exportFromEU`]: undefined,
            });
            const status = await lodgeForStatus(caller, 'road', level, message);
            const found = [status.status, status.incompleteDocumentationReasonList];
            expectEqual(found, ['SUCCESS', reasons], `the status with ${JSON.stringify(given)}`);
          }
        },
        directConsignment: async (context) => {
          const house = await lodgeChanged(context, level, {
            ...alone,
            [`${HOUSE}.directConsignment`]: 'True',
            [`${HOUSE}.transportLevel`]: { carrierIdentificationNumber: 'NO888888888' },
          });
          expectEqual(memberAt(house, `${HOUSE}.directConsignment`), true, 'directConsignment');
        },
        'no other text': async (context) => {
          for (const value of ['yes', 'TRUE ', '', 1, 0]) {
            const errors = await refuse(context, { [`${HOUSE}.directConsignment`]: value });
            expectBroken(errors, 'FORMAT', `${HOUSE}.directConsignment`);
          }
        },
      },
    },
    {
      id: 'BODY-005',
      sentence:
        'Receptacles of a master consignment are read as one or as a list, at each of three places.',
      sources: [api('lodgeMasterConsignment')],
      needs: ['presenter'],
      cases: {
        'each combination is the same': async (context) => {
          const number = 'GBASFZMLBKONAUN30001001019999';
          const receptacles = [number, [number]].map((one) => ({
            receptacleIdentificationNumber: one,
          }));
          const houses = receptacles.flatMap((one) => [{ receptacle: one }, { receptacle: [one] }]);
          for (const given of houses.flatMap((one): unknown[] => [one, [one]])) {
            const path = `${MASTER}.${HOUSE}`;
            const master = await lodgeChanged(context, 'master-consignment', { [path]: given });
            const read = `${path}[0].receptacle[0].receptacleIdentificationNumber`;
            expectEqual(
              memberAt(master, read),
              [number],
              `what is read of ${JSON.stringify(given)}`,
            );
          }
        },
      },
    },
  ],
};
