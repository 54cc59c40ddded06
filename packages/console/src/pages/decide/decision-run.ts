// Sends decisions in parts, and keeps which of them have a result: it can be paused, and resumed after a failure.
import type { RoutingDecision, RoutingDecisionResult } from '@landfall/client';

/** Maximum number of decisions in one request: the service commits a request of this size in one transaction. */
const PART = 500;

/** A decision that the service refused, or did not make because of what somebody else has decided. */
export type RefusedDecision = {
  decision: RoutingDecision;
  errors: NonNullable<RoutingDecisionResult['validationErrors']>;
  current?: RoutingDecisionResult['current'];
};

/** A run at one moment. It is another object after each change. */
export type RunState = {
  status: 'sending' | 'paused' | 'failed' | 'done';
  /** How many decisions there are. */
  total: number;
  /** How many of them have a result: decided, unchanged and refused. */
  settled: number;
  decided: number;
  unchanged: number;
  refused: readonly RefusedDecision[];
  /** How many signals were issued. */
  signals: number;
  /** Why it failed. */
  error?: unknown;
};

/** Sends one part, and returns the results in its order. */
export type SendPart = (
  decisions: RoutingDecision[],
) => Promise<AsyncIterable<RoutingDecisionResult>>;

/**
 * Decisions that are sent in their order. Only those without a result are sent again. Each has an id, so that one that was
 * stored although its result was lost is found, whatever others have decided meanwhile; it counts as decided.
 */
export class DecisionRun {
  readonly decisions: readonly RoutingDecision[];
  readonly #onDone: () => void;
  #state: RunState;
  #isPauseRequested = false;
  readonly #listeners = new Set<() => void>();

  /** @param onDone is called when every decision has a result */
  constructor(decisions: readonly RoutingDecision[], onDone = () => {}) {
    this.decisions = decisions.map((decision) => ({
      ...decision,
      decisionId: crypto.randomUUID(),
    }));
    this.#onDone = onDone;
    this.#state = {
      status: 'paused',
      total: decisions.length,
      settled: 0,
      decided: 0,
      unchanged: 0,
      refused: [],
      signals: 0,
    };
  }

  readonly read = (): RunState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Pauses after the part that is being sent. */
  pause(): void {
    this.#isPauseRequested = true;
  }

  /** Sends what has no result yet. Resolves when all is done, when it is paused, or when a part failed. */
  async resume(send: SendPart): Promise<void> {
    if (this.#state.status === 'sending' || this.#state.status === 'done') return;
    this.#isPauseRequested = false;
    this.#change({ status: 'sending', error: undefined });
    try {
      while (this.#state.settled < this.decisions.length) {
        if (this.#isPauseRequested) {
          this.#change({ status: 'paused' });
          return;
        }
        await this.#sendPart(send);
      }
      this.#change({ status: 'done' });
      this.#onDone();
    } catch (error) {
      this.#change({ status: 'failed', error });
    }
  }

  async #sendPart(send: SendPart): Promise<void> {
    const { settled } = this.#state;
    const part = this.decisions.slice(settled, settled + PART);
    let results = 0;
    for await (const result of await send(part)) {
      const decision = part[results];
      if (decision === undefined) break;
      results++;
      this.#settle(decision, result);
    }
    if (results < part.length) throw new Error(`${results} results of ${part.length} decisions`);
  }

  #settle(decision: RoutingDecision, result: RoutingDecisionResult): void {
    const { settled, decided, unchanged, refused, signals } = this.#state;
    const { status, validationErrors = [], current } = result;
    const isRefused = status === 'REFUSED' || status === 'CONFLICT';
    this.#change({
      settled: settled + 1,
      decided: decided + (status === 'DECIDED' || status === 'REPEATED' ? 1 : 0),
      unchanged: unchanged + (status === 'UNCHANGED' ? 1 : 0),
      refused: isRefused
        ? [...refused, { decision, errors: validationErrors, ...(current && { current }) }]
        : refused,
      signals: signals + (result.signals ?? 0),
    });
  }

  #change(change: Partial<RunState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
