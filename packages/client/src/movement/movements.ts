// The methods of the client that lodge, replace and cancel movement messages. They settle an unknown outcome and resolve
// with the status; see `lodgeMovement`.
import type { ModeName } from '../contract/modes.js';
import type {
  HouseConsignmentRequest,
  MasterConsignmentRequest,
  MovementStatus,
  RelationRequest,
  TransportArrivalRequest,
  TransportRequest,
} from '../contract/types.js';
import { Presentations } from '../presentation/presentations.js';
import type { Source } from '../settling/map-concurrently.js';
import type { SettleOptions } from '../settling/settled-request.js';
import { arrive } from './arrive.js';
import { cancel, lodgeMovement, replaceMovement, settleMovement } from './lodge.js';
import {
  type Journey,
  type JourneyOutcome,
  type LodgeJourneyOptions,
  lodgeJourney,
} from './lodge-journey.js';
import { type LodgeManyOptions, type LodgingOutcome, lodgeMany } from './lodge-many.js';
import type { LodgeOptions, MovementLevel, MovementMessage } from './movement-message.js';
import { relate, unrelate } from './relate.js';

/** The operations; those that lodge make a requestId, settle an unknown outcome, and read the status. */
export class Movements extends Presentations {
  /** Lodges a message at any level. See `lodgeMovement`. */
  lodgeMovement(
    mode: ModeName,
    message: MovementMessage,
    options?: LodgeOptions,
  ): Promise<MovementStatus> {
    return lodgeMovement(this, mode, message, options);
  }

  /** Replaces the whole message with this MRN, at any level. See `replaceMovement`. */
  replaceMovement(
    mode: ModeName,
    mrn: string,
    message: MovementMessage,
    options?: LodgeOptions,
  ): Promise<MovementStatus> {
    return replaceMovement(this, mode, mrn, message, options);
  }

  /** Lodges a transport. Throws what `lodgeMovement` throws. */
  override lodgeTransport(
    mode: ModeName,
    body: TransportRequest,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return lodgeMovement(this, mode, body, { ...options, level: 'transport' });
  }

  /** Lodges a master consignment. Throws what `lodgeMovement` throws. */
  override lodgeMasterConsignment(
    mode: ModeName,
    body: MasterConsignmentRequest,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return lodgeMovement(this, mode, body, { ...options, level: 'master-consignment' });
  }

  /** Lodges a house consignment. Throws what `lodgeMovement` throws. */
  override lodgeHouseConsignment(
    mode: ModeName,
    body: HouseConsignmentRequest,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return lodgeMovement(this, mode, body, { ...options, level: 'house-consignment' });
  }

  /** Replaces a transport. Throws what `replaceMovement` throws. */
  override replaceTransport(
    mode: ModeName,
    mrn: string,
    body: TransportRequest,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return replaceMovement(this, mode, mrn, body, { ...options, level: 'transport' });
  }

  /** Replaces a master consignment. Throws what `replaceMovement` throws. */
  override replaceMasterConsignment(
    mode: ModeName,
    mrn: string,
    body: MasterConsignmentRequest,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return replaceMovement(this, mode, mrn, body, { ...options, level: 'master-consignment' });
  }

  /** Replaces a house consignment. Throws what `replaceMovement` throws. */
  override replaceHouseConsignment(
    mode: ModeName,
    mrn: string,
    body: HouseConsignmentRequest,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return replaceMovement(this, mode, mrn, body, { ...options, level: 'house-consignment' });
  }

  /** Cancels a message. Throws what `replaceMovement` throws. */
  override cancelMovement(
    mode: ModeName,
    level: MovementLevel,
    mrn: string,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return cancel(this, mode, level, mrn, options);
  }

  /** Hangs one message on another by their MRNs, and reads the status. Throws what `lodgeMovement` throws. */
  override lodgeRelation(
    mode: ModeName,
    body: RelationRequest,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return relate(this, mode, body, options);
  }

  /** Cancels a relation by its own MRN. Throws what `replaceMovement` throws. */
  override cancelRelation(
    mode: ModeName,
    mrn: string,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return unrelate(this, mode, mrn, options);
  }

  /** Reports the arrival of a transport, and reads the status. Throws what `lodgeMovement` throws. */
  override reportArrival(
    body: TransportArrivalRequest,
    options?: SettleOptions,
  ): Promise<MovementStatus> {
    return arrive(this, body, options);
  }

  /** Finds the outcome of an earlier request, and sends the message if the service has not received it. */
  settleMovement(
    mode: ModeName,
    requestId: string,
    message: MovementMessage,
    options?: LodgeOptions & { mrn?: string | undefined },
  ): Promise<MovementStatus> {
    return settleMovement(this, mode, requestId, message, options);
  }

  /** Lodges the messages of a source, several at a time, and resumes from a journal. See `lodgeMany`. */
  lodgeMany<Item extends MovementMessage>(
    mode: ModeName,
    source: Source<Item>,
    options?: LodgeManyOptions<Item>,
  ): AsyncGenerator<LodgingOutcome<Item>, void, undefined> {
    return lodgeMany(this, mode, source, options);
  }

  /** Lodges a transport with all that belongs to it. See `lodgeJourney`. */
  lodgeJourney(
    mode: ModeName,
    journey: Journey,
    options?: LodgeJourneyOptions,
  ): Promise<JourneyOutcome> {
    return lodgeJourney(this, mode, journey, options);
  }
}
