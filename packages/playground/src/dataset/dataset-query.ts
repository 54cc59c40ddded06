// The query of the goods of a playground: a level, filters and a page. Over HTTP and on the `Playground` object.
import {
  type HouseConsignment,
  HouseConsignmentQuery,
  OneLine,
  PresentationLevel,
  type TransportDocument,
} from '@landfall/contract';
import { type Static, Type } from 'typebox';
import type { ExpectedDecision } from '../decisions/late-decisions.js';

/** Maximum number of entries of a page. Each entry of an upper level counts all of its house consignments. */
const MAX_ENTRIES = 1000;

/** Number of entries of a page unless it is given. */
export const DEFAULT_ENTRIES = 100;

/** The levels between a declaration and its house consignments. */
const innerLevels = ['MASTER_CONSIGNMENT', 'RECEPTACLE', 'CONTAINER'] as const;
type InnerLevel = (typeof innerLevels)[number];

const { mrn, masterDocumentNumber, receptacleId, containerId, documentNumber } =
  HouseConsignmentQuery.properties;

/** The query of the control address. */
export const DatasetHttpQuery = Type.Object({
  level: Type.Optional(PresentationLevel),
  identity: Type.Optional(OneLine(60)),
  presented: Type.Optional(Type.Enum(['true', 'false'])),
  decided: Type.Optional(Type.Enum(['true', 'false'])),
  mrn,
  masterDocumentNumber,
  receptacleId,
  containerId,
  documentNumber,
  without: Type.Optional(Type.Array(Type.Enum([...innerLevels]), { uniqueItems: true })),
  marker: Type.Optional(OneLine(100)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ENTRIES })),
});
export type DatasetHttpQuery = Static<typeof DatasetHttpQuery>;

/** The query as the playground takes it. */
export function readDatasetQuery({
  presented,
  decided,
  ...others
}: DatasetHttpQuery): DatasetQuery {
  return { ...others, presented: readFlag(presented), decided: readFlag(decided) };
}

function readFlag(text: 'true' | 'false' | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true';
}

/** References of goods; `documentNumber` is that of the house document. */
type References = Pick<
  HouseConsignmentQuery,
  'mrn' | 'masterDocumentNumber' | 'receptacleId' | 'containerId' | 'documentNumber'
>;

/** What is listed. Everything given must match. */
export type DatasetQuery = References & {
  /** What the entries are; default: `HOUSE_CONSIGNMENT`. */
  level?: PresentationLevel | undefined;
  /**
   * The name of an identity: goods that it is expected to present, because their declaration names it as declarant,
   * representative, carrier or presenter, or names neither a carrier nor presenters. None if its organisation is not
   * granted `movement/entry`.
   */
  identity?: string | undefined;
  presented?: boolean | undefined;
  decided?: boolean | undefined;
  /** Only goods that are in none of these levels. */
  without?: readonly InnerLevel[] | undefined;
  /** `next` of the page before. */
  marker?: string | undefined;
  /** Maximum number of entries, 1 to 1,000; default: 100. */
  limit?: number | undefined;
};

/** A house consignment in its current state. */
export type PresentableHouseConsignment = { level: 'HOUSE_CONSIGNMENT' } & HouseConsignment & {
    /** Decisions that are still to come; absent if there are none. `routing` is the current one. */
    expectedDecisions?: ExpectedDecision[];
  };

/** A reference above the house consignment, as a presentation names it, and the matching house consignments under it. */
export type PresentableGroup = (
  | {
      level: 'ENTRY_SUMMARY_DECLARATION';
      mrn: string;
      customsOfficeOfFirstEntry: string;
      declarant: string;
    }
  | { level: 'MASTER_CONSIGNMENT'; transportDocumentMasterLevel: TransportDocument }
  | { level: 'RECEPTACLE'; receptacleId: string }
  | { level: 'CONTAINER'; containerId: string }
) & {
  houseConsignments: number;
  /** How many of them are presented. */
  presented: number;
  /** How many of them are decided. */
  decided: number;
  /** How many different ones they are under. */
  masterConsignments: number;
  receptacles: number;
  containers: number;
};

/** One entry of the list. */
export type Presentable = PresentableHouseConsignment | PresentableGroup;

/** A page of the list. It may be short or empty although `next` says that more may follow. */
export type DatasetPage = {
  entries: Presentable[];
  /** The marker of the next page. */
  next?: string;
};
