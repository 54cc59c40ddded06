// For each rule, changes of an example that keep it and changes that break it: the tests of the list and the conformance
// suite try each rule with them. One table, so it is longer than other files.

import { keysOf } from '../../keys-of.js';
import { movementCodeLists } from '../codes/code-lists.js';
import { type MovementMessageName, movementMessages } from '../levels.js';
import { type ModeName, modes } from '../modes.js';
import type { Part } from '../read-message.js';
import type { ReferenceDocument, Registers } from '../registers.js';
import type { Cancelled } from '../rules/rule.js';
import type { RelatedType } from '../schema/relation.js';
import type { textForms } from '../schema/text-forms.js';

/** Members to set, by their paths; `undefined` removes one. */
type Changes = Readonly<Record<string, unknown>>;

/** One way to keep or to break a rule. */
export type Change = {
  changes: Changes | ((mode: ModeName) => Changes);
  registers?: Partial<Registers>;
  now?: Date;
  /** What the request cancels, if it does. */
  cancels?: Cancelled;
  /** Only in these modes. */
  modes?: readonly ModeName[];
};

/** The cases of a rule at one level. */
export type RuleCase = {
  level: MovementMessageName;
  keeps: readonly Change[];
  /** Each with the members that are reported, and the text if it has values. */
  breaks: readonly (Change & {
    fields: readonly string[];
    error?: string | ((mode: ModeName) => string);
  })[];
};

const HOUSE = 'consignmentHouseLevel';
const MASTER = 'consignmentMasterLevel';
const MEANS = 'activeBorderTransportMeans';

/** Changes below `consignmentHouseLevel`. */
const below = (changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).map(([path, value]) => [`${HOUSE}.${path}`, value]));

type HouseBreak = [changes: Changes, fields: readonly string[], error?: string];

/** Cases of a rule of house consignments, with paths below `consignmentHouseLevel`. */
function house(
  keeps: readonly Changes[],
  breaks: readonly HouseBreak[],
  more: Omit<Change, 'changes'> = {},
): RuleCase[] {
  return [
    {
      level: 'house-consignment',
      keeps: keeps.map((changes) => ({ changes: below(changes), ...more })),
      breaks: breaks.map(([changes, fields, error]) => ({
        changes: below(changes),
        fields: fields.map((field) => `${HOUSE}.${field}`),
        ...(error !== undefined && { error }),
        ...more,
      })),
    },
  ];
}

/** Cases of a rule of relations. */
const relation = (keeps: readonly Changes[], breaks: readonly HouseBreak[]): RuleCase[] => [
  {
    level: 'relation',
    keeps: keeps.map((changes) => ({ changes })),
    breaks: breaks.map(([changes, fields, error]) => ({
      changes,
      fields,
      ...(error !== undefined && { error }),
    })),
  },
];

const ofTypes = (parentObjectType: RelatedType, childObjectType: RelatedType): Changes => ({
  parentObjectType,
  childObjectType,
});

/** Cases of the rule that one of the two messages is current. */
function notCurrent(end: 'parent' | 'child', type: RelatedType): RuleCase[] {
  const field = `${end}ObjectReference`;
  const registers = { isCurrent: (mrn: string, of: RelatedType) => of !== type || mrn === KNOWN };
  return [
    {
      level: 'relation',
      keeps: [{ changes: { [field]: KNOWN }, registers }],
      breaks: [
        {
          changes: {},
          registers,
          fields: [field],
          error: `must be the MRN of a current message of the type ${type} and of this mode`,
        },
      ],
    },
  ];
}

/** An MRN that the example of a relation does not have. */
const KNOWN = '26NO0000000000K0T5';

/** Cases of a rule of cancelling relations. */
const cancelled = (kept: readonly Cancelled[], broken: readonly Cancelled[]): RuleCase[] => [
  {
    level: 'relation',
    keeps: [{ changes: {} }, ...kept.map((cancels) => ({ changes: {}, cancels }))],
    breaks: broken.map((cancels) => ({ changes: {}, cancels, fields: ['MRN'] })),
  },
];

const cude = {
  typeOfReference: 'CUDE',
  declarantNumber: '123456789',
  declarationDate: '2022-08-10',
  sequenceNumber: '1',
};
const transit = { typeOfReference: 'N820', referenceNumber: '26SE000000000000T1' };
const goodsItem = {
  itemAmountInvoicedVOEC: { value: 3000, numberOfItems: 1 },
  commodityCodeVOEC: { harmonizedSystemSubheadingCode: '030214' },
  additionalFiscalReferences: { vatIdentificationNumber: '2056550', role: 'FR5' },
};
const direct = {
  consignmentMasterLevel: undefined,
  directConsignment: true,
  transportLevel: { carrierIdentificationNumber: 'NO888888888' },
};
const withoutContainers = { containerIndicator: '0', transportEquipment: undefined };
/** Procedures, and no documents. */
const procedures = (importProcedure: string | undefined, outgoing?: string): Changes => ({
  importProcedure: {
    ...(importProcedure !== undefined && { importProcedure }),
    ...(outgoing === undefined ? { hasOutgoingProcedure: false } : { outgoingProcedure: outgoing }),
  },
  previousDocuments: undefined,
  exportFromEU: undefined,
});
const voec = { ...procedures('IMMEDIATE_RELEASE_VOEC'), goodsItem: [goodsItem] };
const aes = { exportId: '26SE00000000000001', typeOfExport: 'AES' };

const stateOf =
  (kind: ReferenceDocument['kind'], state: 'INVALID' | 'MISSING' | 'UNANSWERED') =>
  (document: ReferenceDocument) =>
    document.kind === kind ? state : ('VALID' as const);

/** Cases of a rule about what a register says. */
function registered(
  kind: ReferenceDocument['kind'],
  broken: readonly ('INVALID' | 'MISSING' | 'UNANSWERED')[],
  changes: Changes,
  field: string,
): RuleCase[] {
  const all = ['INVALID', 'MISSING', 'UNANSWERED'] as const;
  const change = (state: (typeof all)[number]) => ({
    changes: below(changes),
    registers: { documentState: stateOf(kind, state) },
  });
  const accepted = kind === 'VOEC' || kind.endsWith('EXPORT') ? [] : all;
  const kept = accepted.filter((state) => state !== 'INVALID' && !broken.includes(state));
  return [
    {
      level: 'house-consignment',
      keeps: [{ changes: below(changes) }, ...kept.map(change)],
      breaks: broken.map((state) => ({ ...change(state), fields: [`${HOUSE}.${field}`] })),
    },
  ];
}

/** Cases of a document that a procedure needs. */
const needs = (procedure: string, type: string, outgoing?: string) =>
  house(
    [
      {
        ...procedures(procedure, outgoing),
        previousDocuments: [type === 'CUDE' ? cude : { ...transit, typeOfReference: type }],
        ...(outgoing === 'EXP' && { exportFromEU: [aes] }),
      },
      procedures('COLLECTIVE_RELEASE'),
    ],
    [[procedures(procedure, outgoing), ['previousDocuments']]],
  );

/** The first path of each member of which the schema says something, in an example. */
function pathOf(level: MovementMessageName, isSuch: (part: Part) => boolean): string | undefined {
  const find = (part: Part, path: string): string | undefined => {
    if (isSuch(part)) return path;
    if (part.items !== undefined) return find(part.items, `${path}[0]`);
    for (const either of part.anyOf ?? []) {
      const found = find(either, path);
      if (found !== undefined) return found;
    }
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      const found = find(member, path === '' ? name : `${path}.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(movementMessages[level].schema, '');
}

const levels = keysOf(movementMessages);

/** Members that the example lacks, so that a case needs what is around them. */
const around: Readonly<Record<string, Changes>> = {
  goodsItem: below(voec),
};

/** A case of a member of which the schema says something, at each level that has one. */
function member(
  isSuch: (part: Part) => boolean,
  kept: unknown | ((mode: ModeName, path: string) => unknown),
  broken: unknown,
  error?: string,
): RuleCase[] {
  return levels.flatMap((level): RuleCase[] => {
    const path = pathOf(level, isSuch);
    if (path === undefined) return [];
    const more = path.includes('goodsItem') ? around.goodsItem : {};
    const keep = (mode: ModeName) => ({
      ...more,
      [path]: typeof kept === 'function' ? kept(mode, path) : kept,
    });
    return [
      {
        level,
        keeps: [{ changes: keep }],
        breaks: [
          {
            changes: { ...more, [path]: broken },
            fields: [path],
            ...(error !== undefined && { error }),
          },
        ],
      },
    ];
  });
}

/** What is a code of a list in a mode. */
const codesOfModes: Readonly<Record<string, (mode: ModeName) => string>> = {
  CL018: (mode) => modes[mode].modeOfTransportCode,
  CL750: (mode) => modes[mode].typeOfIdentification,
  CL708: () => '1',
  CL751: () => '1511',
  'import procedures': () => 'IMMEDIATE_RELEASE_IMPORT',
  CL228: () => 'CUDE',
};

const codeCases = Object.fromEntries(
  Object.entries(movementCodeLists).map(([name, { codes }]) => [
    `code.${name.replaceAll(' ', '-')}`,
    member(
      ({ codeList }) => codeList === name,
      codesOfModes[name] ?? (() => Object.keys(codes)[0]),
      '§',
    ),
  ]),
);

const formCases = Object.fromEntries(
  Object.entries({
    line: ['A\u00a0B', 'A\nB'],
    lines: ['A\n\tB', 'A\u0000B'],
    instant: ['2026-05-04T12:00:00.123Z', '2026-02-30T12:00:00Z'],
    date: ['2026-02-28', '2026-02-29'],
    declarantNumber: ['12345678901', '12345678'],
    sequenceNumber: [123456, '1234567'],
    mrn: ['26NO7K2M4Q9XWR5HT0', '26NO7K2M4Q9XWR5HT'],
    subheading: ['030214', '0302'],
  } satisfies Record<keyof typeof textForms, [unknown, string]>).map(([form, [kept, broken]]) => [
    `form.${form}`,
    member(
      (part) => part.form === form && part.codeList === undefined && (part.maxLength ?? 9) > 2,
      // An operator has two names, and a transport that has passed is refused.
      (_: ModeName, path: string) => (path.endsWith('operator.name') ? 'Kim\nBerg' : kept),
      broken,
    ),
  ]),
);

const MEMBERS = ['declarantNumber', 'declarationDate', 'sequenceNumber'] as const;

/** The cases of each rule, by its id. */
export const ruleCases: Readonly<Record<string, readonly RuleCase[]>> = {
  required: [
    {
      level: 'transport',
      keeps: [{ changes: { representative: null, [`${MEANS}.conveyanceReferenceNumber`]: null } }],
      breaks: [
        { changes: { documentIssueDate: null }, fields: ['documentIssueDate'] },
        {
          changes: { customsOfficeOfFirstEntry: undefined },
          fields: ['customsOfficeOfFirstEntry', 'customsOfficeOfFirstEntry.referenceNumber'],
        },
      ],
    },
    ...house(
      [{ transportLevel: null }],
      [
        [
          { transportDocumentHouseLevel: null },
          [
            'transportDocumentHouseLevel',
            'transportDocumentHouseLevel.documentNumber',
            'transportDocumentHouseLevel.type',
          ],
        ],
      ],
    ),
  ],
  type: house(
    [{ containerIndicator: 1, directConsignment: 'FALSE' }],
    [
      [{ totalGrossMass: '12' }, ['totalGrossMass'], 'must be of the type number'],
      [{ consignor: [] }, ['consignor'], 'must be of the type object'],
      [{ goodsDescription: 5 }, ['goodsDescription'], 'must be of the type string'],
    ],
  ),
  blank: house(
    [{ goodsDescription: ' a ' }],
    [[{ goodsDescription: ' \t' }, ['goodsDescription']]],
  ),
  size: [
    ...house(
      [{ goodsDescription: 'x'.repeat(512) }, { 'consignor.communication': [] }],
      [
        [
          { goodsDescription: 'x'.repeat(513) },
          ['goodsDescription'],
          'size must be between 1 and 512',
        ],
        [
          { exportFromEU: Array.from({ length: 100 }, () => null) },
          ['exportFromEU'],
          'size must be between 0 and 99',
        ],
      ],
    ),
    {
      level: 'transport',
      keeps: [{ changes: { [`${MEANS}.operator.name`]: `K ${'x'.repeat(68)}` } }],
      breaks: [
        {
          changes: { [`${MEANS}.operator.communication`]: [] },
          fields: [`${MEANS}.operator.communication`],
          error: 'size must be between 1 and 9',
        },
      ],
    },
  ],
  number: house(
    [{ totalGrossMass: 9999999999.99999 }, { totalGrossMass: 0 }, { numberOfPackages: 99999999 }],
    [
      [
        { totalGrossMass: 10_000_000_000 },
        ['totalGrossMass'],
        'numeric value out of bounds (<10 digits>.<6 digits> expected)',
      ],
      [{ totalGrossMass: 1.0000001 }, ['totalGrossMass']],
      [{ totalGrossMass: -1 }, ['totalGrossMass']],
      [{ numberOfPackages: 1.5 }, ['numberOfPackages']],
    ],
  ),
  choice: relation(
    [{}],
    [
      [
        { childObjectType: 'ARRIVAL' },
        ['childObjectType'],
        'Must be one of [TRANSPORT, MASTER_CONSIGNMENT, HOUSE_CONSIGNMENT]',
      ],
    ],
  ),
  ...formCases,
  'street-or-box': house(
    [{ 'consignor.address.streetLine': undefined, 'consignor.address.poBox': '5' }],
    [[{ 'consignor.address.streetLine': null }, ['consignor.address']]],
  ),
  'documents-together': [
    {
      level: 'transport',
      keeps: [{ changes: { [HOUSE]: Array.from({ length: 9997 }, () => ({})) } }],
      breaks: [
        { changes: { [HOUSE]: Array.from({ length: 9998 }, () => ({})) }, fields: [MASTER] },
      ],
    },
  ],
  'receptacles-together': [
    {
      level: 'master-consignment',
      keeps: [
        {
          changes: {
            [`${MASTER}.${HOUSE}`]: { receptacle: { receptacleIdentificationNumber: 'R' } },
          },
        },
        { changes: receptacles(9999) },
      ],
      breaks: [{ changes: receptacles(10_000), fields: [`${MASTER}.${HOUSE}`] }],
    },
  ],
  ...codeCases,
  country: member(({ country }) => country === true, 'FO', 'XX'),
  'mode.means': [
    {
      level: 'transport',
      keeps: [
        {
          changes: (mode) => ({
            [`${MEANS}.typeOfIdentification`]: Number(modes[mode].typeOfIdentification),
          }),
        },
      ],
      breaks: [
        {
          changes: { [`${MEANS}.typeOfIdentification`]: '20' },
          fields: [`${MEANS}.typeOfIdentification`],
          error: (mode) =>
            `Invalid code. Expected codes are one of [${modes[mode].typeOfIdentification}]`,
        },
      ],
    },
  ],
  'mode.transport': [
    {
      level: 'transport',
      keeps: [
        {
          changes: (mode) => ({
            [`${MEANS}.modeOfTransportCode`]: modes[mode].modeOfTransportCode,
          }),
        },
      ],
      breaks: [
        {
          changes: { [`${MEANS}.modeOfTransportCode`]: 5 },
          fields: [`${MEANS}.modeOfTransportCode`],
        },
      ],
    },
  ],
  'mode.import-procedure': house(
    [procedures('IMMEDIATE_RELEASE_VOEC')],
    [[procedures('NATO_FORM_302'), ['importProcedure.importProcedure']]],
  ),
  'mode.export': house(
    [{ exportFromEU: [aes, { exportId: 'x', typeOfExport: 'EUEIR' }] }],
    [
      [
        { exportFromEU: [aes, { exportId: '26SE0000000000AAAE0', typeOfExport: 'EIDR' }] },
        ['exportFromEU[1].typeOfExport'],
        'Invalid code. Expected codes are one of [AES, EUEIR]',
      ],
    ],
  ),
  'outgoing-procedure': house(
    [procedures('COLLECTIVE_RELEASE', 'EXP')],
    [[procedures('COLLECTIVE_RELEASE', 'XYZ'), ['importProcedure.outgoingProcedure']]],
  ),
  'customs-office': [
    {
      level: 'transport',
      keeps: [{ changes: { 'customsOfficeOfFirstEntry.referenceNumber': 'NO351001' } }],
      breaks: [
        {
          changes: { 'customsOfficeOfFirstEntry.referenceNumber': 'NO000000' },
          fields: ['customsOfficeOfFirstEntry.referenceNumber'],
        },
      ],
    },
  ],
  'unlo-code': house(
    [{ 'placeOfDelivery.unloCode': 'NOOSL' }],
    [
      [{ 'placeOfDelivery.unloCode': 'NO0SL' }, ['placeOfDelivery.unloCode']],
      [{ placeOfAcceptance: { unloCode: 'no' } }, ['placeOfAcceptance.unloCode']],
    ],
  ).concat([
    {
      level: 'master-consignment',
      keeps: [{ changes: { [`${MASTER}.placeOfLoading.unloCode`]: 'SEGOT' } }],
      breaks: [
        {
          changes: { [`${MASTER}.placeOfLoading.unloCode`]: 'SEXXX' },
          registers: { isUnloCode: (code) => code !== 'SEXXX' },
          fields: [`${MASTER}.placeOfLoading.unloCode`],
        },
      ],
    },
  ]),
  place: house(
    [{ placeOfDelivery: { unloCode: 'NOOSL' } }, { placeOfDelivery: { location: 'Quay' } }],
    [[{ placeOfDelivery: {} }, ['placeOfDelivery.unloCode']]],
  ).concat([
    {
      level: 'master-consignment',
      keeps: [{ changes: { [`${MASTER}.placeOfLoading`]: { address: { country: 'SE' } } } }],
      breaks: [
        {
          changes: { [`${MASTER}.placeOfLoading`]: {} },
          fields: [`${MASTER}.placeOfLoading.unloCode`],
        },
      ],
    },
  ]),
  'equipment.master': [
    {
      level: 'master-consignment',
      keeps: [
        {
          changes: { [`${MASTER}.containerIndicator`]: 0, [`${MASTER}.transportEquipment`]: null },
        },
      ],
      breaks: [
        {
          changes: { [`${MASTER}.transportEquipment`]: [] },
          fields: [`${MASTER}.transportEquipment`],
        },
      ],
    },
  ],
  'equipment.house': house(
    [withoutContainers],
    [[{ transportEquipment: undefined }, ['transportEquipment']]],
  ),
  operator: [
    {
      level: 'transport',
      keeps: ['K B', 'K.B', 'Berg,Kim'].map((name) => ({
        changes: { [`${MEANS}.operator.name`]: name },
      })),
      breaks: ['Kim', 'Kim ', '.Kim'].map((name) => ({
        changes: { [`${MEANS}.operator.name`]: name },
        fields: [`${MEANS}.operator.name`],
      })),
    },
  ],
  passed: [
    {
      level: 'transport',
      keeps: [{ changes: {}, now: new Date('2026-05-04T12:10:00Z') }],
      breaks: [
        {
          changes: {},
          now: new Date('2026-05-04T12:10:01Z'),
          fields: ['estimatedDateAndTimeOfArrival'],
        },
      ],
    },
  ],
  'receptacle-and-master': house(
    [{ consignmentMasterLevel: undefined, receptacleIdentificationNumber: 'R1' }],
    [[{ receptacleIdentificationNumber: 'R1' }, ['receptacleIdentificationNumber']]],
  ),
  'direct-and-other': house(
    [direct, { directConsignment: 'false' }],
    [
      [{ ...direct, receptacleIdentificationNumber: 'R1' }, ['directConsignment']],
      [{ directConsignment: 'TRUE', transportLevel: direct.transportLevel }, ['directConsignment']],
    ],
  ),
  'direct-without-transport': house(
    [direct],
    [[{ ...direct, transportLevel: undefined }, ['transportLevel']]],
  ),
  'transport-without-direct': house(
    [direct],
    [
      [{ ...direct, directConsignment: undefined }, ['directConsignment']],
      [{ ...direct, directConsignment: 'False' }, ['directConsignment']],
    ],
  ),
  'documents-without-procedure': house(
    [procedures(undefined)],
    [[{ importProcedure: undefined }, ['importProcedure.importProcedure']]],
  ),
  'one-cude': house(
    [{ previousDocuments: [cude, transit] }],
    [[{ previousDocuments: [cude, cude] }, ['previousDocuments']]],
  ),
  ...Object.fromEntries(
    MEMBERS.map((name) => [
      `cude.${name}`,
      house(
        [{ previousDocuments: [cude] }],
        [[{ previousDocuments: [{ ...cude, [name]: null }] }, [`previousDocuments[0].${name}`]]],
      ),
    ]),
  ),
  'reference-number': house(
    [{ previousDocuments: [cude, { typeOfReference: 'GONU' }] }],
    [
      [
        { previousDocuments: [cude, { typeOfReference: 'N820' }] },
        ['previousDocuments[1].referenceNumber'],
      ],
    ],
  ),
  ...Object.fromEntries(
    MEMBERS.map((name) => [
      `not-for-procedure.${name}`,
      house(
        [{ ...procedures('ATA_CARNET'), previousDocuments: [transit] }],
        [
          [
            {
              ...procedures('ATA_CARNET'),
              previousDocuments: [
                transit,
                { typeOfReference: 'N955', referenceNumber: '1', [name]: cude[name] },
              ],
            },
            [`previousDocuments[1].${name}`],
            'Field cannot be filled out when consignmentHouseLevel.importProcedure is ATA_CARNET',
          ],
        ],
      ),
    ]),
  ),
  'repeated-reference': house(
    [{ previousDocuments: [cude, transit, { ...transit, referenceNumber: 'x' }] }],
    [
      [
        { previousDocuments: [transit, cude, { ...transit, typeOfReference: 'N955' }] },
        ['previousDocuments[2].referenceNumber'],
        'Duplicate PreviousDocuments with referenceNumber: 26SE000000000000T1',
      ],
    ],
  ),
  'transit-and-export': house(
    [{ 'importProcedure.outgoingProcedure': 'TRE' }],
    [[{ 'importProcedure.outgoingProcedure': 'EXP' }, ['previousDocuments[1].typeOfReference']]],
  ),
  'cude-not-valid': registered('CUDE', ['INVALID'], {}, 'previousDocuments[0]'),
  'transit-not-valid': registered('N820', ['INVALID'], {}, 'previousDocuments[1].referenceNumber'),
  'export-and-transit': house(
    [{ 'importProcedure.outgoingProcedure': 'TRA', exportFromEU: undefined }],
    [[{ 'importProcedure.outgoingProcedure': 'TRA' }, ['exportFromEU']]],
  ),
  'repeated-export': house(
    [{ exportFromEU: [aes, { ...aes, exportId: '26SE00000000000002' }] }],
    [
      [
        { exportFromEU: [aes, { exportId: aes.exportId, typeOfExport: 'EUEIR' }] },
        ['exportFromEU[1].exportId'],
        'Duplicate ExportFromEU with exportId: 26SE00000000000001',
      ],
    ],
  ),
  'export-form': [
    ...house(
      [{ exportFromEU: [{ exportId: 'anything', typeOfExport: 'EUEIR' }, aes] }],
      [
        [
          { exportFromEU: [{ exportId: 'anything', typeOfExport: 'AES' }] },
          ['exportFromEU[0].exportId'],
          'Invalid MRN format for export of type AES',
        ],
      ],
    ),
    ...house(
      [{ exportFromEU: [{ exportId: '26SE12345678901AE1', typeOfExport: 'EIDR' }] }],
      [
        [
          { exportFromEU: [{ exportId: '26NO12345678901AE1', typeOfExport: 'EIDR' }] },
          ['exportFromEU[0].exportId'],
        ],
      ],
      { modes: ['road'] },
    ),
  ],
  'export-not-valid': [
    ...registered('AES_EXPORT', ['INVALID', 'MISSING'], {}, 'exportFromEU[0].exportId'),
    ...registered(
      'EIDR_EXPORT',
      ['INVALID', 'MISSING'],
      { exportFromEU: [{ exportId: '26SE12345678901AE1', typeOfExport: 'EIDR' }] },
      'exportFromEU[0].exportId',
    ),
  ],
  'goods-items-without-voec': house([voec], [[{ goodsItem: [goodsItem] }, ['goodsItem']]]),
  'voec-value': house(
    [voec],
    [
      [
        {
          ...voec,
          goodsItem: [
            goodsItem,
            { ...goodsItem, itemAmountInvoicedVOEC: { value: 3000.01, numberOfItems: 1 } },
          ],
        },
        ['goodsItem[1].itemAmountInvoicedVOEC.value'],
      ],
    ],
  ),
  'voec-number-not-valid': registered(
    'VOEC',
    ['INVALID', 'MISSING'],
    voec,
    'goodsItem[0].additionalFiscalReferences.vatIdentificationNumber',
  ),
  'relation.types': relation(
    [{ parentObjectType: 'TRANSPORT' }, ofTypes('TRANSPORT', 'MASTER_CONSIGNMENT'), {}],
    [
      [ofTypes('TRANSPORT', 'TRANSPORT'), ['childObjectType']],
      [ofTypes('MASTER_CONSIGNMENT', 'MASTER_CONSIGNMENT'), ['childObjectType']],
      [ofTypes('MASTER_CONSIGNMENT', 'TRANSPORT'), ['childObjectType']],
      [ofTypes('HOUSE_CONSIGNMENT', 'HOUSE_CONSIGNMENT'), ['childObjectType']],
      [ofTypes('HOUSE_CONSIGNMENT', 'MASTER_CONSIGNMENT'), ['childObjectType']],
    ],
  ),
  'relation.parent': notCurrent('parent', 'MASTER_CONSIGNMENT'),
  'relation.child': notCurrent('child', 'HOUSE_CONSIGNMENT'),
  'relation.ended': cancelled(
    [
      { isCurrent: true, isPresented: true },
      { isCurrent: true, isPresented: false },
    ],
    [
      { isCurrent: false, isPresented: false },
      { isCurrent: false, isPresented: true },
    ],
  ),
  'relation.presented': cancelled(
    [
      { isCurrent: false, isPresented: true },
      { isCurrent: true, isPresented: false },
    ],
    [{ isCurrent: true, isPresented: true }],
  ),
  ...keyCases(),
  'needs.procedure': house(
    [procedures('COLLECTIVE_RELEASE')],
    [[procedures(undefined), ['importProcedure.importProcedure']]],
  ),
  'needs.IMMEDIATE_RELEASE_IMPORT': needs('IMMEDIATE_RELEASE_IMPORT', 'CUDE'),
  'needs.CUSTOMS_DECLARATION': needs('CUSTOMS_DECLARATION', 'CUDE'),
  'needs.WAREHOUSE_RELEASE': [
    ...needs('WAREHOUSE_RELEASE', 'CUDE'),
    ...house([warehouse({ referenceNumber: '1' })], [], { modes: ['road'] }),
    {
      level: 'house-consignment',
      keeps: [],
      breaks: [
        {
          changes: below(warehouse({ referenceNumber: '1' })),
          modes: ['air', 'rail', 'maritime'],
          fields: [`${HOUSE}.previousDocuments`],
        },
        {
          changes: below(warehouse({ referenceNumber: '1' })),
          now: new Date('2027-03-01T00:00:00Z'),
          fields: [`${HOUSE}.previousDocuments`],
        },
      ],
    },
  ],
  'needs.goods-number': house(
    [warehouse({ referenceNumber: '1' }), { ...warehouse({}), previousDocuments: [cude] }],
    [[warehouse({}), ['previousDocuments']]],
  ),
  'needs.TRANSIT_IMPORT': needs('TRANSIT_IMPORT', 'N820', 'TRA'),
  'needs.TRANSIT_IMPORT.TRA': house(
    [{ ...procedures('TRANSIT_IMPORT', 'TRA'), previousDocuments: [transit] }],
    [
      [
        { ...procedures('TRANSIT_IMPORT', 'TRE'), previousDocuments: [transit] },
        ['importProcedure.outgoingProcedure'],
      ],
    ],
  ),
  'needs.TRANSIT_RELEASE': needs('TRANSIT_RELEASE', 'RETR', 'EXP'),
  'needs.TRANSIT_RELEASE.EXP': house(
    [procedures('TRANSIT_RELEASE', 'EXP'), procedures('COLLECTIVE_RELEASE')],
    [[procedures('TRANSIT_RELEASE', 'TRA'), ['importProcedure.outgoingProcedure']]],
  ),
  'needs.IMMEDIATE_RELEASE_VOEC': house([voec], [[{ ...voec, goodsItem: [] }, ['goodsItem']]]),
  'needs.ATA_CARNET': needs('ATA_CARNET', 'N955'),
  'needs.TIR_CARNET': needs('TIR_CARNET', 'N952'),
  'needs.NATO_FORM_302': needs('NATO_FORM_302', 'C624'),
  'needs.export': house(
    [
      { ...procedures('COLLECTIVE_RELEASE', 'EXP'), exportFromEU: [aes] },
      procedures('COLLECTIVE_RELEASE', 'TRA'),
    ],
    [
      [procedures('COLLECTIVE_RELEASE', 'EXP'), ['exportFromEU']],
      [procedures('COLLECTIVE_RELEASE', 'TRE'), ['exportFromEU']],
    ],
  ),
  'needs.transit': house(
    [
      { ...procedures('COLLECTIVE_RELEASE', 'TRA'), previousDocuments: [transit] },
      procedures('COLLECTIVE_RELEASE', 'EXP'),
    ],
    [
      [procedures('COLLECTIVE_RELEASE', 'TRA'), ['previousDocuments']],
      [procedures('COLLECTIVE_RELEASE', 'TRE'), ['previousDocuments']],
    ],
  ),
  'needs.outgoing-procedure': house(
    [
      procedures('COLLECTIVE_RELEASE'),
      procedures('COLLECTIVE_RELEASE', 'TRA'),
      ...['IMMEDIATE_RELEASE_VOEC', 'ATA_CARNET', 'TIR_CARNET', 'NATO_FORM_302'].map(
        (procedure) => ({ ...procedures(procedure), 'importProcedure.hasOutgoingProcedure': true }),
      ),
    ],
    [
      [
        { ...procedures('COLLECTIVE_RELEASE'), 'importProcedure.hasOutgoingProcedure': undefined },
        ['importProcedure.outgoingProcedure'],
      ],
      [
        { ...procedures('COLLECTIVE_RELEASE'), 'importProcedure.hasOutgoingProcedure': 'True' },
        ['importProcedure.outgoingProcedure'],
      ],
    ],
  ),
  'cude-not-found': registered('CUDE', ['MISSING'], {}, 'previousDocuments[0]'),
  'transit-not-found': registered('N820', ['MISSING'], {}, 'previousDocuments[1].referenceNumber'),
  'cude-not-answered': registered('CUDE', ['UNANSWERED'], {}, 'previousDocuments[0]'),
};

function receptacles(count: number): Changes {
  const half = (from: number, to: number) => ({
    receptacle: [
      {
        receptacleIdentificationNumber: Array.from(
          { length: to - from },
          (_, at) => `R${from + at}`,
        ),
      },
    ],
  });
  return { [`${MASTER}.${HOUSE}`]: [half(0, 5000), half(5000, count)] };
}

function warehouse(goodsNumber: { referenceNumber?: string }): Changes {
  return {
    ...procedures('WAREHOUSE_RELEASE'),
    previousDocuments: [{ typeOfReference: 'GONU', ...goodsNumber }],
  };
}

function keyCases(): Record<string, RuleCase[]> {
  const taken = (part: string) => ({
    registers: { isKeyTaken: (key: string) => key.includes(part) },
  });
  const make = (
    level: MovementMessageName,
    field: string,
    part: string,
    error: string,
  ): RuleCase[] => [
    {
      level,
      keeps: [{ changes: {}, ...taken('other') }],
      breaks: [{ changes: {}, fields: [field], error, ...taken(part) }],
    },
  ];
  return {
    'key.transport': make(
      'transport',
      `${MEANS}.identificationNumber`,
      'AB12345',
      'Transport AB12345 is already in use',
    ),
    'key.master': make(
      'master-consignment',
      `${MASTER}.transportDocumentMasterLevel`,
      'M1',
      'Transport document M1 of type N730 is already in use',
    ),
    'key.house': make(
      'house-consignment',
      `${HOUSE}.transportDocumentHouseLevel`,
      'H1',
      'Transport document H1 of type N730 is already in use',
    ),
    'key.relation': make(
      'relation',
      'childObjectReference',
      '26NO7K2M4Q9XWR5HT0',
      'These two messages are related already',
    ),
  };
}
