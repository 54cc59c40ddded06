// The goods of a playground: a list at each level, which shows a large dataset as a tree, one branch at a time.
import type { PresentationLevel, Routing, TransportDocument } from '@landfall/client';
import { control, playground } from './control.js';

/** What an entry contains. */
type Numbers = {
  houseConsignments: number;
  presented: number;
  decided: number;
  masterConsignments: number;
  receptacles: number;
  containers: number;
};

/** A house consignment, or a reference above it with the numbers of its goods. */
export type Presentable =
  | {
      level: 'HOUSE_CONSIGNMENT';
      id: string;
      entrySummaryDeclarationMRN?: string;
      houseConsignmentMRN?: string;
      transportDocumentHouseLevel: TransportDocument;
      state: 'PRE_NOTIFIED' | 'DECIDED' | 'PRESENTED' | 'SIGNALLED';
      routing?: Routing;
    }
  | ({ level: 'ENTRY_SUMMARY_DECLARATION'; mrn: string } & Numbers)
  | ({ level: 'MASTER_CONSIGNMENT'; transportDocumentMasterLevel: TransportDocument } & Numbers)
  | ({ level: 'RECEPTACLE'; receptacleId: string } & Numbers)
  | ({ level: 'CONTAINER'; containerId: string } & Numbers);

/** Which goods are listed. */
export type DatasetQuery = {
  level: PresentationLevel;
  mrn?: string;
  masterDocumentNumber?: string;
  receptacleId?: string;
  containerId?: string;
  /** Only goods that are in none of these. */
  without?: readonly PresentationLevel[];
  presented?: 'true' | 'false';
};

/** A page of the list, and the marker of the next one. */
export type DatasetPage = { entries: Presentable[]; next?: string };

const PAGE_SIZE = 50;

/** Lists a page of the goods. */
export function listDataset(
  { without = [], ...query }: DatasetQuery,
  marker: string | undefined,
): Promise<DatasetPage> {
  const search = new URLSearchParams({ ...query, limit: String(PAGE_SIZE) });
  for (const level of without) search.append('without', level);
  if (marker !== undefined) search.set('marker', marker);
  const operation = control<object, DatasetPage>('GET', `/playground/dataset?${search}`);
  return playground.call(operation, {});
}

/** The branches of an entry: each a query for what is directly below it. */
export function branchesOf(entry: Presentable, query: DatasetQuery): DatasetQuery[] {
  if (entry.level === 'HOUSE_CONSIGNMENT') return [];
  const { presented } = query;
  const within = { ...withinOf(entry, query), ...(presented && { presented }) };
  const inner = INNER_LEVELS.filter(
    ({ level, count }) => entry[count] > 0 && INNER_LEVELS_OF[entry.level].includes(level),
  ).map(({ level }) => level);
  const branches = inner.map((level, index) => ({
    ...within,
    level,
    ...(index > 0 && { without: inner.slice(0, index) }),
  }));
  return [
    ...branches,
    { ...within, level: 'HOUSE_CONSIGNMENT', ...(inner.length > 0 && { without: inner }) },
  ];
}

/** The levels between a declaration and its house consignments, and how many of them an entry has. */
const INNER_LEVELS = [
  { level: 'MASTER_CONSIGNMENT', count: 'masterConsignments' },
  { level: 'RECEPTACLE', count: 'receptacles' },
  { level: 'CONTAINER', count: 'containers' },
] as const;

/** The levels that may be below an entry. */
const INNER_LEVELS_OF: Record<PresentationLevel, readonly PresentationLevel[]> = {
  ENTRY_SUMMARY_DECLARATION: ['MASTER_CONSIGNMENT', 'RECEPTACLE', 'CONTAINER'],
  MASTER_CONSIGNMENT: ['RECEPTACLE', 'CONTAINER'],
  RECEPTACLE: [],
  CONTAINER: [],
  HOUSE_CONSIGNMENT: [],
};

/** The filter of everything below an entry: its own reference and those above it. */
function withinOf(
  entry: Exclude<Presentable, { level: 'HOUSE_CONSIGNMENT' }>,
  { level: _level, without: _without, ...above }: DatasetQuery,
) {
  switch (entry.level) {
    case 'ENTRY_SUMMARY_DECLARATION':
      return { ...above, mrn: entry.mrn };
    case 'MASTER_CONSIGNMENT':
      return {
        ...above,
        masterDocumentNumber: entry.transportDocumentMasterLevel.documentNumber,
      };
    case 'RECEPTACLE':
      return { ...above, receptacleId: entry.receptacleId };
    case 'CONTAINER':
      return { ...above, containerId: entry.containerId };
  }
}
