// The tree of a transport as rows, each with what is missing of it.
import type {
  HouseConsignmentInTree,
  HouseDocumentStatus,
  TransportDescendants,
} from '@landfall/client';

/** A master or house consignment of a transport. */
export type TreeRow = {
  /** Another one for each row. */
  key: string;
  depth: 0 | 1;
  level: 'master' | 'house';
  documentNumber: string;
  type: string;
  /** Gross mass in kilograms; `undefined` if it is not lodged. */
  weight: number | undefined;
  status: 'notLodged' | 'lodged' | 'incomplete' | 'complete';
  /** Codes of what is missing. */
  reasons: readonly string[];
};

/**
 * The rows in the order of the tree: each master consignment, then its house consignments, then direct ones.
 *
 * @param documents the statuses of the house consignments, as far as they may be read
 */
export function treeRows(
  { masterConsignments, houseConsignments = [] }: TransportDescendants,
  documents: readonly HouseDocumentStatus[],
): TreeRow[] {
  const reasons = new Map(
    documents.map((document) => [
      keyOf(document),
      document.incompleteDocumentationReasonList ?? [],
    ]),
  );
  const houseRow = (house: HouseConsignmentInTree, depth: 0 | 1, below: string): TreeRow => ({
    key: `${below} ${keyOf(house)}`,
    depth,
    level: 'house',
    documentNumber: house.documentNumber,
    type: house.type,
    weight: house.weight,
    status:
      house.status === 'SUCCESS'
        ? 'complete'
        : house.weight === undefined
          ? 'notLodged'
          : 'incomplete',
    reasons: reasons.get(keyOf(house)) ?? [],
  });
  return [
    ...masterConsignments.flatMap((master, index): TreeRow[] => [
      {
        key: `master ${index}`,
        depth: 0,
        level: 'master',
        documentNumber: master.documentNumber,
        type: master.type,
        weight: master.weight,
        status: master.received ? 'lodged' : 'notLodged',
        reasons: [],
      },
      ...master.houseConsignments.map((house, number) =>
        houseRow(house, 1, `house ${index} ${number}`),
      ),
    ]),
    ...houseConsignments.map((house, number) => houseRow(house, 0, `direct ${number}`)),
  ];
}

const keyOf = ({ documentNumber, type }: { documentNumber: string; type: string }) =>
  `${type} ${documentNumber}`;
