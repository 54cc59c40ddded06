import { lodgeChanged, refuse } from '../data/lodge-changed.js';
import {
  alone,
  change,
  fromNow,
  HOUSE,
  MASTER,
  MEANS,
  makeMovement,
  memberAt,
} from '../data/movement-messages.js';
import {
  brokenRules,
  errorsAtOnce,
  expectBroken,
  lodge,
  lodgeForStatus,
  mover,
  pathOf,
  tryLodge,
} from '../data/movements.js';
import { expectEqual, expectProblem, expectStatus } from '../suite/expect.js';
import { type Area, api, national } from '../suite/requirement.js';

const level = 'house-consignment';
const lodging = api('lodgeTransport', 'lodgeMasterConsignment', 'lodgeHouseConsignment');

const INSTANT = 'invalid ISO-8601 instant in UTC (yyyy-MM-ddTHH:mm:ssZ)';

export const movementTexts: Area = {
  name: 'Texts of movement messages',
  requirements: [
    {
      id: 'BODY-006',
      sentence: 'A member that an object has twice is refused at once, wherever it is.',
      sources: [lodging, api('replaceHouseConsignment')],
      needs: ['presenter'],
      cases: {
        'at the root, below it, in a list, and unknown': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const text = JSON.stringify(makeMovement(level, 'road'));
          for (const [part, field] of [
            ['"documentIssueDate":', 'documentIssueDate'],
            ['"goodsDescription":', `${HOUSE}.goodsDescription`],
            ['"typeOfReference":', `${HOUSE}.previousDocuments[0].typeOfReference`],
          ] as const) {
            const raw = text.replace(part, `${part}"x",${part}`);
            const response = await tryLodge(caller, 'road', level, undefined, {
              path: pathOf('road'),
              raw,
            });
            expectProblem(response, 400, { code: 'FORMAT', field });
          }
          const raw = text.replace('{', '{"new":1,"new":2,');
          const path = pathOf('road');
          expectProblem(await tryLodge(caller, 'road', level, undefined, { path, raw }), 400);
        },
      },
    },
    {
      id: 'BODY-007',
      sentence:
        'Instants are UTC with Z, with or without fractions of a second, and are compared to the second.',
      sources: [lodging],
      needs: ['presenter'],
      cases: {
        fractions: async (context) => {
          for (const instant of [
            '2026-05-04T07:00:00Z',
            '2026-05-04T07:00:00.1Z',
            '2026-05-04T07:00:00.123456Z',
          ]) {
            const house = await lodgeChanged(context, level, { documentIssueDate: instant });
            expectEqual(house.documentIssueDate, instant, 'documentIssueDate');
          }
        },
        'in a key': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement('transport', 'road');
          await lodge(caller, 'road', 'transport', message);
          const time = String(message.scheduledDateAndTimeOfArrival).replace('Z', '.999Z');
          const same = { ...message, scheduledDateAndTimeOfArrival: time };
          const status = await lodgeForStatus(caller, 'road', 'transport', same);
          expectBroken(brokenRules(status), 'DUPLICATE', `${MEANS}.identificationNumber`);
        },
        'anything else': async (context) => {
          for (const instant of [
            '2026-05-04T07:00:00+01:00',
            '2026-05-04T07:00:00',
            '2026-05-04 07:00:00Z',
            '2026-05-04T07:00Z',
            '2026-05-04',
            '2026-02-30T07:00:00Z',
            '2026-05-04T24:00:01Z',
            '2026-05-04t07:00:00z',
          ]) {
            const errors = await refuse(context, { documentIssueDate: instant });
            expectBroken(errors, 'FORMAT', 'documentIssueDate', INSTANT);
          }
        },
      },
    },
    {
      id: 'BODY-008',
      sentence: 'Texts are stored as sent, never trimmed, and keys are compared as they were sent.',
      sources: [lodging],
      needs: ['presenter'],
      cases: {
        'blanks, letters and lines': async (context) => {
          for (const text of ['  Chairs  ', 'Ørsta\n\tÅl ', 'e\u0301 \u00e9', '𝔸 "\\ 🚢']) {
            const house = await lodgeChanged(context, level, {
              [`${HOUSE}.goodsDescription`]: text,
            });
            expectEqual(memberAt(house, `${HOUSE}.goodsDescription`), text, 'goodsDescription');
          }
        },
        'a number with a blank is another one': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road', alone);
          await lodge(caller, 'road', level, message);
          const path = `${HOUSE}.transportDocumentHouseLevel.documentNumber`;
          const number = String(memberAt(message, path));
          await lodge(caller, 'road', level, change(message, { [path]: `${number} ` }));
          await lodge(caller, 'road', level, change(message, { [path]: number.toLowerCase() }));
        },
      },
    },
    {
      id: 'BODY-009',
      sentence:
        'All errors of one kind are reported together, with paths from the root and indexes in brackets.',
      sources: [lodging, national('Movement, validation')],
      needs: ['presenter'],
      cases: {
        'at once': async (context) => {
          const errors = await refuse(context, {
            documentIssueDate: 'now',
            [`${HOUSE}.totalGrossMass`]: -1,
            [`${HOUSE}.transportEquipment[0].containerIdentificationNumber`]: null,
            [`${HOUSE}.previousDocuments[1].referenceNumber`]: 'x'.repeat(71),
          });
          expectBroken(errors, 'FORMAT', 'documentIssueDate');
          expectBroken(errors, 'FORMAT', `${HOUSE}.totalGrossMass`);
          const equipment = `${HOUSE}.transportEquipment[0].containerIdentificationNumber`;
          expectBroken(errors, 'REQUIRED', equipment);
          expectBroken(errors, 'SIZE', `${HOUSE}.previousDocuments[1].referenceNumber`);
          expectEqual(errors.length, 4, 'the number of errors');
        },
        'by status': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road', {
            [`${HOUSE}.consignee.address.country`]: 'XX',
            [`${HOUSE}.previousDocuments[1].referenceNumber`]: null,
            [`${HOUSE}.transportEquipment[0].containerSupplierType`]: '9',
          });
          const broken = brokenRules(await lodgeForStatus(caller, 'road', level, message));
          expectBroken(
            broken,
            'UNKNOWN_CODE',
            `${HOUSE}.consignee.address.country`,
            'Country is invalid',
          );
          expectBroken(broken, 'REQUIRED', `${HOUSE}.previousDocuments[1].referenceNumber`);
          expectBroken(
            broken,
            'UNKNOWN_CODE',
            `${HOUSE}.transportEquipment[0].containerSupplierType`,
          );
          expectEqual(broken.length, 3, 'the number of errors');
        },
      },
    },
    {
      id: 'BODY-010',
      sentence: 'A code of goods is also read under the name that one national example has.',
      sources: [api('lodgeHouseConsignment'), national('Movement, examples')],
      needs: ['presenter'],
      cases: {
        harmonizedSystemSubHeadingCode: async (context) => {
          const house = await lodgeChanged(context, level, {
            [`${HOUSE}.importProcedure`]: { importProcedure: 'IMMEDIATE_RELEASE_VOEC' },
            [`${HOUSE}.previousDocuments`]: undefined,
            [`${HOUSE}.exportFromEU`]: undefined,
            [`${HOUSE}.goodsItem`]: [
              {
                itemAmountInvoicedVOEC: { value: 3000, numberOfItems: 1 },
                commodityCodeVOEC: { harmonizedSystemSubHeadingCode: '030214' },
                additionalFiscalReferences: { vatIdentificationNumber: '2056550', role: 'FR5' },
              },
            ],
          });
          const path = `${HOUSE}.goodsItem[0].commodityCodeVOEC.harmonizedSystemSubheadingCode`;
          expectEqual(memberAt(house, path), '030214', path);
        },
      },
    },
    {
      id: 'BODY-011',
      sentence: 'House consignments of a transport are also read inside its master consignments.',
      sources: [api('lodgeTransport'), national('Movement, changes')],
      needs: ['presenter'],
      cases: {
        'both places': async (context) => {
          const document = { documentNumber: 'H-INSIDE', type: 'N730' };
          const inside = [{ transportDocumentHouseLevel: document }];
          const transport = await lodgeChanged(context, 'transport', {
            [`${MASTER}[0].${HOUSE}`]: inside,
          });
          expectEqual(memberAt(transport, `${MASTER}[0].${HOUSE}`), inside, 'what is read');
        },
      },
    },
    {
      id: 'BODY-012',
      sentence: 'A body that is not a JSON object is 400, and stores nothing.',
      sources: [lodging],
      needs: ['presenter'],
      cases: {
        'not JSON, an array, null, a text, deep': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
          for (const raw of ['', '{', '[]', 'null', '"x"', '7', `{"a":${deep}}`]) {
            const path = pathOf('road');
            const response = await tryLodge(caller, 'road', level, undefined, { path, raw });
            expectProblem(response, 400);
          }
        },
      },
    },
    {
      id: 'BODY-013',
      sentence:
        'An arrival may be estimated for a later time than the scheduled one, and communications of a representative may be empty.',
      sources: [api('lodgeTransport', 'lodgeMasterConsignment')],
      needs: ['presenter'],
      cases: {
        both: async (context) => {
          const late = fromNow(30 * 3_600_000);
          const transport = await lodgeChanged(context, 'transport', {
            estimatedDateAndTimeOfArrival: late,
            'representative.communication': [],
          });
          expectEqual(transport.estimatedDateAndTimeOfArrival, late, 'the estimated arrival');
          expectEqual(memberAt(transport, 'representative.communication'), [], 'communication');
        },
        'e-mail addresses of a master consignment: three, not four': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const send = (count: number) =>
            tryLodge(
              caller,
              'road',
              'master-consignment',
              makeMovement('master-consignment', 'road', {
                'representative.releasedConfirmation': Array.from({ length: count }, () => ({
                  emailAddress: 'a@example.com',
                })),
              }),
            );
          expectStatus(await send(3), 202);
          expectBroken(errorsAtOnce(await send(4)), 'SIZE', 'representative.releasedConfirmation');
        },
      },
    },
  ],
};
