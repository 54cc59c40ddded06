// The rows of a tree: what is missing of each, in the order of the tree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { treeRows } from './tree-rows.js';

const document = (documentNumber: string) => ({ documentNumber, type: 'N730' });

test('rows have the order of the tree, and say what is missing', () => {
  const rows = treeRows(
    {
      sumOfWeightForMasterConsignments: 100,
      sumOfWeightForHouseConsignments: 30,
      masterConsignments: [
        {
          ...document('M1'),
          weight: 100,
          received: true,
          sumOfWeightForHouseConsignments: 30,
          houseConsignments: [
            { ...document('H1'), weight: 10, status: 'SUCCESS' },
            { ...document('H2'), weight: 20, status: 'INCOMPLETE' },
          ],
        },
        {
          ...document('M2'),
          received: false,
          sumOfWeightForHouseConsignments: 0,
          houseConsignments: [],
        },
      ],
      houseConsignments: [{ ...document('H3'), status: 'INCOMPLETE' }],
    },
    [
      {
        ...document('H2'),
        received: true,
        documentStatus: 'INCOMPLETE',
        incompleteDocumentationReasonList: ['INCOMPLETE_DOCUMENTATION'],
      },
    ],
  );
  assert.deepEqual(
    rows.map(({ depth, documentNumber, status, reasons }) => [
      depth,
      documentNumber,
      status,
      ...reasons,
    ]),
    [
      [0, 'M1', 'lodged'],
      [1, 'H1', 'complete'],
      [1, 'H2', 'incomplete', 'INCOMPLETE_DOCUMENTATION'],
      [0, 'M2', 'notLodged'],
      [0, 'H3', 'notLodged'],
    ],
  );
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});

test('a document that two masters have is two rows', () => {
  const house = { ...document('H1'), status: 'INCOMPLETE' } as const;
  const master = {
    received: true,
    weight: 1,
    sumOfWeightForHouseConsignments: 0,
    houseConsignments: [house, house],
  };
  const rows = treeRows(
    {
      sumOfWeightForMasterConsignments: 1,
      sumOfWeightForHouseConsignments: 1,
      masterConsignments: [
        { ...document('M1'), ...master },
        { ...document('M1'), ...master },
      ],
    },
    [],
  );
  assert.equal(new Set(rows.map(({ key }) => key)).size, 6);
});
