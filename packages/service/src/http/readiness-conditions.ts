// Conditions without which a server is not ready, checked in the background: readiness is open to everybody.
import type { BackgroundFailures } from './background-failures.js';

/** How often the conditions are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 5000;

/** A condition is not fulfilled; the message says which, for operators. */
export class UnmetConditionError extends Error {
  readonly code = 'UNMET_CONDITION';
  override name = 'UnmetConditionError';
}

/** A condition that is checked every 5 s. */
export type ReadinessCondition = {
  /** The label of its failures in the metrics, such as `clock`. */
  task: string;
  /** The line of the log when it is not fulfilled. */
  message: string;
  /**
   * Returns when it is fulfilled; must end within a bound.
   *
   * @throws UnmetConditionError when it is not. Any other error leaves the last result: nothing is known.
   */
  check(): Promise<void>;
};

/** The conditions of a server with the last result of each. */
export class ReadinessConditions {
  readonly #conditions: readonly (ReadinessCondition & { report: (error: unknown) => void })[];
  readonly #unmet = new Map<string, UnmetConditionError>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(conditions: readonly ReadinessCondition[], failures: BackgroundFailures) {
    this.#conditions = conditions.map((condition) => ({
      ...condition,
      report: failures.reporter(condition.task, condition.message),
    }));
  }

  /** The first condition that is not fulfilled. */
  get unmet(): UnmetConditionError | undefined {
    return this.#unmet.values().next().value;
  }

  /** Checks all conditions, and again every 5 s until `close`. */
  async start(): Promise<void> {
    if (this.#conditions.length === 0) return;
    await this.check();
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.start(), CHECK_INTERVAL_MS).unref();
  }

  /** Checks all conditions once. */
  async check(): Promise<void> {
    await Promise.all(
      this.#conditions.map(async ({ task, check, report }) => {
        try {
          await check();
          this.#unmet.delete(task);
        } catch (error) {
          if (error instanceof UnmetConditionError) this.#unmet.set(task, error);
          report(error);
        }
      }),
    );
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
