// Conditions without which a server is not ready, checked in the background: readiness is open to everybody.
import { runbookAddress } from '@landfall/contract';
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
  /** The entry of the runbook that says what to do, such as `CLOCK`. */
  runbook: string;
  /**
   * Returns when it is fulfilled; must end within a bound.
   *
   * @throws UnmetConditionError when it is not. Any other error leaves the last result: nothing is known. Before the
   *   first result it is not fulfilled.
   */
  check(): Promise<void>;
  /** Whether the server does nothing for callers while it is not fulfilled: what it recorded would be wrong. */
  refusesRequests?: boolean;
  /** Whether the server is ready without it: then it is degraded. */
  degrades?: boolean;
  /** Is given the function that checks the condition at once, for whoever notices before the next check. */
  watch?(check: () => void): void;
};

/** The last result of a condition. */
export type ConditionState = {
  task: string;
  degrades: boolean;
  /** Why it is not fulfilled, if it is not. */
  unmet: string | undefined;
  /** Since when it is not, by the clock of this server. */
  since: Date | undefined;
};

type ReportedCondition = ReadinessCondition & {
  /** Reports a check that says nothing. */
  report: (error: unknown) => void;
  lasting: ReturnType<BackgroundFailures['condition']>;
};

/** The conditions of a server with the last result of each. */
export class ReadinessConditions {
  readonly #conditions: ReportedCondition[] = [];
  readonly #failures: BackgroundFailures;
  readonly #documentationUrl: string;
  readonly #since = new Map<string, Date>();
  readonly #unmet = new Map<string, UnmetConditionError>();
  /** The tasks that have had no result yet. */
  readonly #unknown = new Set<string>();
  #refusal: UnmetConditionError | undefined;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #closed = false;

  /** @param documentationUrl where the runbook is; empty: in the repository */
  constructor(
    conditions: readonly ReadinessCondition[],
    failures: BackgroundFailures,
    documentationUrl = '',
  ) {
    this.#failures = failures;
    this.#documentationUrl = documentationUrl;
    for (const condition of conditions) this.add(condition);
  }

  /** Adds a condition, before `start`. */
  add(condition: ReadinessCondition): void {
    const { task, message } = condition;
    const report = this.#failures.reporter(task, message);
    const runbook = runbookAddress(condition.runbook, this.#documentationUrl);
    const added = {
      ...condition,
      report,
      lasting: this.#failures.condition(task, message, runbook),
    };
    this.#conditions.push(added);
    this.#unknown.add(task);
    this.#setUnmet(
      task,
      new UnmetConditionError(`No check of the ${task} has had a result since the start`),
    );
    this.#refusal = this.#findRefusal();
    condition.watch?.(() => void this.#check(added));
  }

  /** The first condition that is not fulfilled, without which the server is not ready. */
  get unmet(): UnmetConditionError | undefined {
    const needed = this.#conditions.filter(({ degrades }) => degrades !== true);
    return needed.map(({ task }) => this.#unmet.get(task)).find((error) => error);
  }

  /** All conditions. */
  get states(): ConditionState[] {
    return this.#conditions.map(({ task, degrades = false }) => ({
      task,
      degrades,
      unmet: this.#unmet.get(task)?.message,
      since: this.#since.get(task),
    }));
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

  async #check({ task, check, report, lasting }: ReportedCondition): Promise<void> {
    try {
      await check();
      this.#unmet.delete(task);
      this.#since.delete(task);
      this.#unknown.delete(task);
      lasting.end();
    } catch (error) {
      if (error instanceof UnmetConditionError) {
        this.#setUnmet(task, error);
        this.#unknown.delete(task);
        lasting.fail(error);
      } else report(error);
    }
    this.#refusal = this.#findRefusal();
  }

  #setUnmet(task: string, error: UnmetConditionError): void {
    this.#unmet.set(task, error);
    if (!this.#since.has(task)) this.#since.set(task, new Date());
  }

  #findRefusal(): UnmetConditionError | undefined {
    const refusing = this.#conditions.filter(({ refusesRequests }) => refusesRequests === true);
    return refusing.map(({ task }) => this.#unmet.get(task)).find((error) => error);
  }
}
