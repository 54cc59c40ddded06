// Lodges a transport with all that belongs to it.
import type { Connection } from '../connection/connection.js';
import type { ModeName } from '../contract/modes.js';
import type {
  HouseConsignmentRequest,
  MasterConsignmentRequest,
  TransportRequest,
} from '../contract/types.js';
import { type LodgeManyOptions, type LodgingOutcome, lodgeMany } from './lodge-many.js';
import type { MovementMessage } from './movement-message.js';

/** What is lodged together; what others lodge is left out. */
export type Journey = {
  transport?: TransportRequest | undefined;
  masterConsignments?: readonly MasterConsignmentRequest[] | undefined;
  houseConsignments?: readonly HouseConsignmentRequest[] | undefined;
};

/** The outcomes of the messages of a journey, in the order in which they were given. */
export type JourneyOutcome = {
  transport: LodgingOutcome<TransportRequest> | undefined;
  masterConsignments: LodgingOutcome<MasterConsignmentRequest>[];
  houseConsignments: LodgingOutcome<HouseConsignmentRequest>[];
  /** Whether every message was lodged. A house consignment may be incomplete nevertheless: its status says so. */
  isLodged: boolean;
};

/** Options of lodging a journey: those of lodging many, of which the journal lets it resume. */
export type LodgeJourneyOptions = Omit<LodgeManyOptions<MovementMessage>, 'level'>;

/**
 * Lodges a transport and what belongs to it, several messages at a time: their order does not matter to the service. Each
 * has a requestId of its own, and lost responses are settled as `lodgeMovement` does. What is refused is an outcome, and
 * does not keep the others from being lodged; correct it, and lodge the journey again with the same journal.
 *
 * @throws what `lodgeMany` throws, and the reason of the signal: only a journal then knows what was lodged before
 * @example
 * const { isLodged, transport } = await lodgeJourney(connection, 'road', { transport: lorry, houseConsignments: houses });
 * if (isLodged) await waitForEntry(connection, 'road', transport.status.mrn);
 */
export async function lodgeJourney(
  connection: Connection,
  mode: ModeName,
  { transport, masterConsignments = [], houseConsignments = [] }: Journey,
  options: LodgeJourneyOptions = {},
): Promise<JourneyOutcome> {
  const messages: MovementMessage[] = [...houseConsignments, ...masterConsignments];
  if (transport !== undefined) messages.push(transport);
  const outcomes: LodgingOutcome<MovementMessage>[] = [];
  for await (const outcome of lodgeMany(connection, mode, messages, options)) {
    outcomes[outcome.index] = outcome;
  }
  const houses = houseConsignments.length;
  const masters = houses + masterConsignments.length;
  // The casts are true because outcomes have the indexes of their messages.
  return {
    transport: outcomes[masters] as LodgingOutcome<TransportRequest> | undefined,
    masterConsignments: outcomes.slice(
      houses,
      masters,
    ) as LodgingOutcome<MasterConsignmentRequest>[],
    houseConsignments: outcomes.slice(0, houses) as LodgingOutcome<HouseConsignmentRequest>[],
    isLodged: outcomes.every(({ outcome }) => outcome === 'lodged'),
  };
}
