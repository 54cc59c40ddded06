// What a day at one kind of site is made of. Each kind is a file: airport.ts, post-terminal.ts and so on.
import type { EntrySummaryDeclaration, PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Random } from '../random.js';
import type { ChapterWeights } from './goods.js';
import type { Parties } from './parties.js';

/** A declaration without what is the same at every site: its MRN, time of arrival, goods and decisions. */
export type ArrivingDeclaration = Omit<EntrySummaryDeclaration, 'mrn'>;

/** Makes the declarations of the next arrival. */
export type Arrive = (arrival: {
  /** Time of the arrival, in minutes since midnight UTC. */
  minute: number;
  /** How many house consignments are still to be made; more are cut off. */
  left: number;
}) => Iterable<ArrivingDeclaration>;

/** A kind of site. */
export type Site = {
  /** One sentence, for the first line of the dataset. */
  description: string;
  /** House consignments of a usual day. */
  usualDay: number;
  /** Relative numbers of house consignments that arrive in each of the 24 hours, UTC. */
  hours: readonly number[];
  /** When arrivals are possible, in minutes since midnight UTC; default: at any time. */
  timetable?: readonly number[];
  chapters: ChapterWeights;
  /** Share of the house consignments that have a decision before they arrive, and share of these that go to control. */
  decidedInAdvance: number;
  controlled: number;
  /** Begins a day. */
  open(random: Random, parties: Parties, serials: Serials): Arrive;
};

/** A house consignment without goods and decision. */
export type ArrivingHouse = Omit<
  PreNotifiedHouseConsignment,
  'harmonizedSystemSubheadingCode' | 'routing' | 'routingControlLocation'
>;

/** Consecutive numbers, so that identifiers are unique within a dataset. */
export class Serials {
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** The next number, 0 to 9,999,999; numbers repeat after ten million. */
  next(): number {
    this.#next = (this.#next + 1) % 10_000_000;
    return this.#next;
  }
}
