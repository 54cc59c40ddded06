// What happens later to movement messages than usual, by the playground's clock.
import type { DocumentKey } from '@landfall/contract';
import type { App, Database } from '@landfall/service/assembly';
import type { PlaygroundClock } from '../clock.js';
import { DECIDING_CLIENT } from '../decisions/make-decide.js';
import { type DoFirst, Schedule } from '../schedule.js';
import { selectExpectedTransport, selectStillExpected } from './queries.js';

/** A register confirms a document, or a transport is seen at an office when the event is due. */
type LaterEvent = { dueAt: number } & (
  | { document: DocumentKey }
  | { transport: { mrn: string; office: string } }
);

/** What waits at a moment. */
export type SavedEvents = readonly LaterEvent[];

/** Maximum number of events that wait. */
const MAX_EVENTS = 100_000;

/** What later events need. */
export type LaterEventParts = {
  database: Database;
  clock: Pick<PlaygroundClock, 'now' | 'state'>;
  newId: () => string;
  /** The organisation that reports arrivals. */
  authority: string;
  /** Is called when something is due. */
  service: () => Pick<App, 'confirmDocuments' | 'postTransportArrivals'> | undefined;
  /** Receives the error of each attempt that failed. */
  report: (error: unknown) => void;
};

/** The events that wait, at most MAX_EVENTS and those of requests that are being handled then. */
export class LaterEvents {
  readonly #parts: LaterEventParts;
  readonly #schedule: Schedule<LaterEvent>;

  constructor(parts: LaterEventParts) {
    this.#parts = parts;
    const doFirst: DoFirst<LaterEvent> = async (first) => {
      await this.#make(first);
      return (waiting) => waiting.filter((each) => each !== first);
    };
    this.#schedule = new Schedule(parts.clock, doFirst, { report: parts.report });
  }

  /** Whether more events may wait. */
  get hasRoom(): boolean {
    return this.#schedule.waiting.length < MAX_EVENTS;
  }

  /** Confirms documents a number of seconds from now. */
  confirm(documents: readonly DocumentKey[], afterSeconds: number): Promise<void> {
    const dueAt = this.#parts.clock.now().getTime() + afterSeconds * 1000;
    return this.#schedule.add(documents.map((document) => ({ dueAt, document })));
  }

  /**
   * Reports the arrival of the transport that a request has lodged or replaced, a number of seconds after it is expected. That
   * replaces an earlier plan for the transport. Returns whether there is such a transport, and room.
   */
  async see(organisationId: number, requestId: string, afterSeconds: number): Promise<boolean> {
    const { database } = this.#parts;
    const [expected] = await database.query(selectExpectedTransport(organisationId, requestId));
    if (expected === undefined || !this.hasRoom) return false;
    const { mrn, estimatedAt, office } = expected;
    this.#schedule.take((each) => 'transport' in each && each.transport.mrn === mrn);
    const dueAt = estimatedAt.getTime() + afterSeconds * 1000;
    await this.#schedule.add([{ dueAt, transport: { mrn, office } }]);
    return true;
  }

  /** Makes what is due after the clock was changed. */
  makeDue(): Promise<void> {
    return this.#schedule.makeDue();
  }

  /** Forgets what waits. */
  clear(): Promise<void> {
    return this.#schedule.clear();
  }

  /** What is to be restored later. */
  save(): SavedEvents {
    return this.#schedule.waiting;
  }

  /** Returns to what waited. */
  async restore(waiting: SavedEvents): Promise<void> {
    await this.clear();
    await this.#schedule.restore(waiting);
  }

  async #make(event: LaterEvent): Promise<void> {
    if ('document' in event) await this.#parts.service()?.confirmDocuments([event.document]);
    else await this.#report(event.transport, new Date(event.dueAt));
  }

  /** @throws Error if others hold the transport for too long */
  async #report({ mrn, office }: { mrn: string; office: string }, at: Date): Promise<void> {
    const { database, newId, authority, service } = this.#parts;
    const [expected] = await database.query(selectStillExpected(mrn));
    if (expected === undefined) return;
    const value = {
      mrn,
      dateAndTimeOfArrival: at.toISOString(),
      customsOfficeOfArrival: { referenceNumber: office },
    };
    const actor = { organisation: authority, client: DECIDING_CLIENT };
    const by = { now: at, actor, requestId: newId() };
    const results = await service()?.postTransportArrivals([{ line: 1, value }], by);
    const errors = results?.flatMap(({ validationErrors = [] }) => validationErrors) ?? [];
    if (errors.some(({ code }) => code === 'HELD')) throw new Error(`${mrn} is held by others`);
  }
}
