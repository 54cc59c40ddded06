// A journey as lines of a dataset: its messages, and the entry summary declarations of some of its goods.
import type {
  DatasetHeaderLine,
  EntrySummaryDeclaration,
  MovementLine,
  PreNotifiedHouseConsignment,
} from '@landfall/contract';
import { padded } from '../identifiers.js';
import {
  generateMessages,
  ISSUED_BEFORE_HOURS,
  type JourneyMessage,
  type JourneyOptions,
} from './generate-journey.js';
import { journeyKinds } from './journey-kinds.js';

/** The journey to generate. */
export type JourneyDatasetOptions = Omit<JourneyOptions, 'arrivesAt'> & {
  /** The identity that lodges everything; it has the scope of the mode. */
  identity: string;
};

/** When the transport is expected, in hours after the start of the playground. */
const ARRIVES_IN_HOURS = 2;

/** Of so many masters, the goods of the first one are in an entry summary declaration. */
const MASTERS_OF_DECLARATION = 3;

/** Who has declared them: the forwarder of every playground. */
const DECLARANT = '0192:310000027';

/** Seeds from which MRNs are made have at most nine digits. */
const MAX_SEED = 1_000_000_000;

/**
 * Generates the lines: a description, the messages in the order in which they are lodged, and declarations. The transport
 * arrives two hours after the start of the playground that loads them, whenever that is.
 *
 * @throws RangeError for a number that is out of its range
 * @example
 * const options = { kind: 'train', identity: 'carrier', carrier: 'NO310000019', seed: 7 } as const;
 * for (const line of generateJourneyDataset(options)) console.log(JSON.stringify(line));
 */
export function* generateJourneyDataset({
  identity,
  ...options
}: JourneyDatasetOptions): Generator<DatasetHeaderLine | MovementLine | EntrySummaryDeclaration> {
  const { kind, seed } = options;
  const { mode, description, hasDeclarations, office } = journeyKinds[kind];
  yield { dataset: { name: `${kind}-${seed}`, description } };
  const times = {
    issued: `-${ISSUED_BEFORE_HOURS - ARRIVES_IN_HOURS}h`,
    arrives: `+${ARRIVES_IN_HOURS}h`,
  };
  const goodsOfMasters = new Map<string, PreNotifiedHouseConsignment[]>();
  for (const { level, message } of generateMessages(options, times)) {
    // Its members are those of an object that is not changed.
    yield { movement: { identity, mode, level, message: { ...message } } };
    if (level === 'house-consignment' && hasDeclarations) addGoods(message, goodsOfMasters);
  }
  const declared = [...goodsOfMasters.values()].filter(
    (_, index) => index % MASTERS_OF_DECLARATION === 0,
  );
  for (const [index, houseConsignments] of declared.entries()) {
    yield {
      mrn: `26NOLF${padded(seed % MAX_SEED, 9)}${padded(index, 3)}`,
      customsOfficeOfFirstEntry: office,
      declarant: DECLARANT,
      houseConsignments,
    };
  }
}

type HouseMessage = Extract<JourneyMessage, { level: 'house-consignment' }>['message'];

/** Adds the goods of a message to those of its master. */
function addGoods(
  { consignmentHouseLevel: house }: HouseMessage,
  byMaster: Map<string, PreNotifiedHouseConsignment[]>,
): void {
  const master = house.consignmentMasterLevel?.transportDocumentMasterLevel;
  if (master === undefined) return;
  const goods = byMaster.get(master.documentNumber) ?? [];
  byMaster.set(master.documentNumber, goods);
  goods.push({
    // The casts are true because the kinds of journeys have types of CL754.
    transportDocumentHouseLevel: house.transportDocumentHouseLevel as Document,
    transportDocumentMasterLevel: master as Document,
  });
}

type Document = PreNotifiedHouseConsignment['transportDocumentHouseLevel'];
