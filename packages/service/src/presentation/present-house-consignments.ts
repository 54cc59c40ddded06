// Presents house consignments line by line, however many: each is a presentation of its own, and many share a commit.
import { MAX_REPORTED_ERRORS, type PresentationResult } from '@landfall/contract';
import { OverloadedError } from '../database/errors.js';
import { heldError } from '../feed/commit-apart.js';
import type { LimitedTurns } from '../limited-turns.js';
import { Turns } from '../turns.js';
import type { UploadedLine } from '../uploaded-line.js';
import { BLOCKS_OF_EACH } from './block-turns.js';
import {
  keysOf,
  type PresentationOutcome,
  type PresentConsignment,
} from './present-consignment.js';
import type { PresentationRequest, Submission } from './submission.js';

/** What a batch needs. */
export type BatchContext = Pick<PresentationRequest, 'organisationId' | 'actor'> & {
  /** Puts a presentation into the next commit. */
  present: PresentConsignment;
  turns: LimitedTurns;
  read: (value: unknown) => Submission;
  /** Throws if the sender may no longer present: called before each block. */
  requireAccess: () => Promise<void>;
  /** Receives the results in order, as they become known. */
  addResults: (results: readonly PresentationResult[]) => Promise<void>;
  /** Is told the last line that was begun: it is presented, whatever becomes of the results. */
  noteBegun: (line: number) => void;
};

/** For how long lines of a block are put into the queue one after the other, in milliseconds. */
const MAX_CHAIN_MS = 15_000;

/**
 * Presents the lines of blocks. A few blocks are in progress at once, so that each commit is full, and no more is read
 * until the first of them has its results.
 *
 * @throws what `requireAccess` and `addResults` throw, NoTurnError, and DatabaseUnavailableError if it is unknown whether
 *   a line was presented; lines with results have that outcome
 */
export async function presentHouseConsignments(
  blocks: AsyncIterable<readonly UploadedLine[]>,
  context: BatchContext,
): Promise<void> {
  const iterator = blocks[Symbol.asyncIterator]();
  const batch = new PresentationBatch(context);
  try {
    for (;;) {
      // A failure is reported at once, even if the client sends no further line.
      const block = await batch.unlessFailed(iterator.next());
      if (block.done) break;
      await batch.begin(block.value);
    }
  } catch (error) {
    // What was begun is committed all the same, and its sender is to know it.
    await batch.end();
    throw error;
  }
  await batch.end();
}

/** Nothing of a line is recorded. */
const held: PresentationOutcome = { accepted: false, errors: [heldError] };

/** The blocks in progress. */
class PresentationBatch {
  readonly #context: BatchContext;
  /** The blocks whose results are not delivered, the oldest first. */
  readonly #inProgress: Promise<void>[] = [];
  /** The last line with each requestId and reference, until it has its outcome. */
  readonly #presenting = new Map<string, Promise<unknown>>();
  #delivered: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(context: BatchContext) {
    this.#context = context;
  }

  /** Waits for something; throws as soon as a block fails. */
  unlessFailed<Result>(awaited: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      if (this.#failure !== undefined) reject(this.#failure.error);
      awaited.then(resolve, reject);
    });
  }

  /** Begins a block. Resolves when the next one may be read. */
  async begin(lines: readonly UploadedLine[]): Promise<void> {
    const { turns, organisationId, requireAccess, noteBegun } = this.#context;
    while (this.#inProgress.length >= BLOCKS_OF_EACH) await this.#inProgress.shift();
    await requireAccess();
    await new Promise<void>((begun, failed) => {
      const presented = turns.take(organisationId, async () => {
        noteBegun(lines.at(-1)?.line ?? 0);
        const outcomes = await this.#beginLines(lines);
        begun();
        return Promise.all(outcomes);
      });
      presented.catch(failed);
      this.#deliver(presented);
    });
  }

  /** Resolves when everything that was begun has its results. */
  async end(): Promise<void> {
    await this.#delivered;
  }

  #deliver(presented: Promise<readonly PresentationResult[]>): void {
    const before = this.#delivered;
    this.#delivered = (async () => {
      await before;
      await this.#context.addResults(await presented);
    })();
    this.#delivered.catch((error: unknown) => {
      this.#failure ??= { error };
      this.#fail(error);
    });
    this.#inProgress.push(this.#delivered);
  }

  /** Puts the lines into the queue, in their order. */
  async #beginLines(lines: readonly UploadedLine[]): Promise<Promise<PresentationResult>[]> {
    const turns = new Turns(this.#context.organisationId);
    const outcomes: Promise<PresentationResult>[] = [];
    const until = performance.now() + MAX_CHAIN_MS;
    for (const line of lines) {
      if (turns.isOverBefore(line.bytes ?? 0)) await turns.next();
      const outcome = this.#presentLine(line, until);
      // Another line may fail first.
      outcome.catch(() => undefined);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async #presentLine(
    { line, value, unreadable }: UploadedLine,
    until: number,
  ): Promise<PresentationResult> {
    if (unreadable !== undefined) {
      return { line, status: 400, validationErrors: [unreadable] };
    }
    const submission = this.#context.read(value);
    const outcome = await this.#present(submission, until);
    const { requestId } = submission;
    const known = { line, ...(requestId !== undefined && { requestId }) };
    return outcome.accepted
      ? { ...known, status: 202 }
      : { ...known, status: 400, validationErrors: outcome.errors.slice(0, MAX_REPORTED_ERRORS) };
  }

  /**
   * Lines that cannot share a commit are put into the queue one after the other: the first one consumes their requestId,
   * although it may have to wait, and none waits in the queue for as long as all of them take. Those that have not come to it
   * in time are left to the next request: the sender may have lost its access meanwhile, and others wait for the turn.
   */
  async #present(submission: Submission, until: number): Promise<PresentationOutcome> {
    const keys = keysOf({ submission }).filter((key) => key !== undefined);
    const earlier = keys.flatMap((key) => this.#presenting.get(key) ?? []);
    const presenting =
      earlier.length === 0
        ? this.#submit(submission)
        : Promise.all(earlier).then(() =>
            performance.now() < until && this.#failure === undefined
              ? this.#submit(submission)
              : held,
          );
    const ended = presenting.catch(() => undefined);
    for (const key of keys) this.#presenting.set(key, ended);
    try {
      return await presenting;
    } finally {
      for (const key of keys) {
        if (this.#presenting.get(key) === ended) this.#presenting.delete(key);
      }
    }
  }

  async #submit(submission: Submission): Promise<PresentationOutcome> {
    const { present, organisationId, actor } = this.#context;
    try {
      return await present({ organisationId, actor, submission }, true);
    } catch (error) {
      // It was taken out of the queue, so nothing of it is recorded.
      if (error instanceof OverloadedError) return held;
      throw error;
    }
  }
}
