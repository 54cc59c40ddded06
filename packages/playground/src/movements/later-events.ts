// What happens later to movement messages than usual, by the playground's clock.
import type { DocumentKey } from '@landfall/contract';
import type { App } from '@landfall/service/assembly';
import type { PlaygroundClock } from '../clock.js';
import { Schedule } from '../schedule.js';

/** A register confirms a document. */
type LaterEvent = { dueAt: number; document: DocumentKey };

/** What waits at a moment. */
export type SavedEvents = readonly LaterEvent[];

/** Maximum number of events that wait. */
const MAX_EVENTS = 100_000;

/** What later events need. */
export type LaterEventParts = {
  clock: Pick<PlaygroundClock, 'now' | 'state'>;
  /** Is called when something is due. */
  service: () => Pick<App, 'confirmDocuments'> | undefined;
};

/** The events that wait, at most MAX_EVENTS and those of requests that are being handled then. */
export class LaterEvents {
  readonly #clock: Pick<PlaygroundClock, 'now'>;
  readonly #schedule: Schedule<LaterEvent>;

  constructor({ clock, service }: LaterEventParts) {
    this.#clock = clock;
    this.#schedule = new Schedule(clock, async (first) => {
      await service()?.confirmDocuments([first.document]);
      return (waiting) => waiting.filter((each) => each !== first);
    });
  }

  /** Whether more events may wait. */
  get hasRoom(): boolean {
    return this.#schedule.waiting.length < MAX_EVENTS;
  }

  /** Confirms documents a number of seconds from now. */
  confirm(documents: readonly DocumentKey[], afterSeconds: number): Promise<void> {
    const dueAt = this.#clock.now().getTime() + afterSeconds * 1000;
    return this.#schedule.add(documents.map((document) => ({ dueAt, document })));
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
}
