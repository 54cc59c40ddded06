// Conditions without which a server is not ready, checked in the background: readiness is open to everybody.
import type { BackgroundFailures } from './background-failures.js';

/** How often the conditions are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 5000;

/** How soon they are checked again while one has had no result since the start: the server serves nothing until then. */
const FIRST_RESULT_INTERVAL_MS = 500;

/** A condition is not fulfilled; the message says which, for operators. */
export class UnmetConditionError extends Error {
  readonly code = 'UNMET_CONDITION';
  override name = 'UnmetConditionError';
}

/** A condition that is checked every 5 s. One whose check takes long delays none of the others. */
export type ReadinessCondition = {
  /** The label of its failures in the metrics, such as `clock`. */
  task: string;
  /** The line of the log when it is not fulfilled. */
  message: string;
  /**
   * Returns when it is fulfilled; must end within a bound.
   *
   * @throws UnmetConditionError when it is not. Any other error leaves the last result: nothing is known. Before the
   *   first result it is not fulfilled.
   */
  check(): Promise<void>;
  /** Whether the server does nothing for callers while it is not fulfilled: what it recorded would be wrong. */
  refusesRequests?: boolean;
};

type ReportedCondition = ReadinessCondition & { report: (error: unknown) => void };

/** The conditions of a server with the last result of each. */
export class ReadinessConditions {
  readonly #conditions: readonly ReportedCondition[];
  readonly #unmet = new Map<string, UnmetConditionError>();
  /** The tasks that have had no result yet. */
  readonly #unknown = new Set<string>();
  #refusal: UnmetConditionError | undefined;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor(conditions: readonly ReadinessCondition[], failures: BackgroundFailures) {
    this.#conditions = conditions.map((condition) => ({
      ...condition,
      report: failures.reporter(condition.task, condition.message),
    }));
    for (const { task } of conditions) {
      this.#unknown.add(task);
      this.#unmet.set(
        task,
        new UnmetConditionError(`No check of the ${task} has had a result since the start`),
      );
    }
    this.#refusal = this.#findRefusal();
  }

  /** The first condition that is not fulfilled. */
  get unmet(): UnmetConditionError | undefined {
    return this.#unmet.values().next().value;
  }

  /** Why requests are refused, if they are. */
  get refusal(): UnmetConditionError | undefined {
    return this.#refusal;
  }

  /**
   * Checks each condition, and again every 5 s until `close`; sooner until it has had a result. Resolves when each was
   * checked once.
   */
  async start(): Promise<void> {
    await Promise.all(this.#conditions.map((condition) => this.#checkRepeatedly(condition)));
  }

  /** Checks all conditions once. */
  async check(): Promise<void> {
    await Promise.all(this.#conditions.map((condition) => this.#check(condition)));
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #checkRepeatedly(condition: ReportedCondition): Promise<void> {
    await this.#check(condition);
    if (this.#closed) return;
    const { task } = condition;
    const interval = this.#unknown.has(task) ? FIRST_RESULT_INTERVAL_MS : CHECK_INTERVAL_MS;
    const timer = setTimeout(() => void this.#checkRepeatedly(condition), interval).unref();
    this.#timers.set(task, timer);
  }

  async #check({ task, check, report }: ReportedCondition): Promise<void> {
    try {
      await check();
      this.#unmet.delete(task);
      this.#unknown.delete(task);
    } catch (error) {
      if (error instanceof UnmetConditionError) {
        this.#unmet.set(task, error);
        this.#unknown.delete(task);
      }
      report(error);
    }
    this.#refusal = this.#findRefusal();
  }

  #findRefusal(): UnmetConditionError | undefined {
    const refusing = this.#conditions.filter(({ refusesRequests }) => refusesRequests === true);
    return refusing.map(({ task }) => this.#unmet.get(task)).find((error) => error);
  }
}
