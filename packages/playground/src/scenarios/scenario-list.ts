// The scenarios of a playground: added, listed, deleted, and chosen for each request.
import {
  MAX_SCENARIOS,
  readScenario,
  type Scenario,
  type ScenarioKind,
  scenarioKind,
  type ValidationError,
} from '@landfall/contract';
import { ValidationFailedError } from '@landfall/service/assembly';
import { addJitter, drawSeed, isAffected, withSeed } from './chance.js';
import type { ScenarioFacts } from './request-facts.js';
import { type AppliedScenario, HEADER_BURST, type ScenarioState } from './scenario-state.js';

/** What the list depends on. */
export type ScenarioListParts = {
  clock: () => Date;
  newId: () => string;
  identities: readonly { name: string }[];
  /** Is called when a scenario has ended or is deleted; makes what waits for it, and returns whether something did. */
  ended: (id: string) => boolean;
};

type Entry = {
  id: string;
  scenario: Scenario;
  createdAt: Date;
  applied: number;
  /** To how many requests it applied, whether or not it took effect. */
  selected: number;
};

/** The scenarios of a moment. */
export type SavedScenarios = readonly Readonly<Entry>[];

/** The scenarios, oldest first. */
export class ScenarioList {
  readonly #parts: ScenarioListParts;
  readonly #initial: readonly Scenario[];
  #entries: Entry[] = [];
  /** How often what headers hold was released. */
  #releases = 0;

  /**
   * @param initial the scenarios to which `reset` returns
   * @throws ValidationFailedError whose fields begin with the index of the scenario
   */
  constructor(parts: ScenarioListParts, initial: readonly unknown[] = []) {
    this.#parts = parts;
    this.#initial = initial.map((scenario, index) => this.#read(scenario, `${index}.`));
    if (initial.length > MAX_SCENARIOS) throw tooMany();
    this.reset();
  }

  /**
   * Adds a scenario. It takes effect on requests from now on.
   *
   * @throws ValidationFailedError with every member and rule; then nothing is added
   */
  add(value: unknown): ScenarioState {
    const scenario = this.#read(value);
    if (this.#entries.length >= MAX_SCENARIOS) {
      const ended = this.#entries.findIndex((entry) => !this.#isActive(entry));
      if (ended === -1) throw tooMany();
      for (const { id } of this.#entries.splice(ended, 1)) this.#parts.ended(id);
    }
    const entry = this.#start(scenario);
    this.#entries.push(entry);
    return this.#describe(entry);
  }

  list(): ScenarioState[] {
    return this.#entries.map((entry) => this.#describe(entry));
  }

  /**
   * Deletes a scenario; returns whether there was one.
   *
   * @param id with `HEADER_BURST`, what requests with the header hold is decided
   */
  delete(id: string): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.id !== id);
    const isKnown = this.#entries.length < before || id === HEADER_BURST;
    if (id === HEADER_BURST) this.#releases += 1;
    const held = isKnown && this.#parts.ended(id);
    return held || this.#entries.length < before;
  }

  clear(): void {
    for (const { id } of this.#entries) this.#parts.ended(id);
    this.delete(HEADER_BURST);
    this.#entries = [];
  }

  /** Ends a scenario that has taken effect for the last time: it may have been deleted while the request was handled. */
  settle({ id }: AppliedScenario): void {
    if (id === undefined) return;
    const entry = this.#entries.find((each) => each.id === id);
    if (entry === undefined || !this.#isActive(entry)) this.#parts.ended(id);
  }

  /** Returns to the scenarios with which the playground was started. */
  reset(): void {
    this.#entries = this.#initial.map((scenario) => this.#start(scenario));
  }

  /** What is to be restored later. */
  save(): SavedScenarios {
    return this.#entries.map((entry) => ({ ...entry }));
  }

  /** Returns to the scenarios that were saved, with how often each had taken effect. */
  restore(saved: SavedScenarios): void {
    this.#entries = saved.map((entry) => ({ ...entry }));
  }

  /** Whether no scenario can take effect. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /**
   * Chooses the scenarios that are to take effect on a request or a delivery, and counts them; `giveBack` undoes this for one that took no
   * effect. Of each kind it is the oldest that applies, and only one decides the outcome.
   *
   * @param requested those of its own header, which come first
   */
  choose(facts: ScenarioFacts, requested: readonly Scenario[]): AppliedScenario[] {
    const chosen: AppliedScenario[] = [];
    const mayApply = ({ kind }: Scenario) => {
      const { decides, addsUp = false } = scenarioKind(kind);
      return !chosen.some(
        (other) =>
          (other.kind === kind && !addsUp) ||
          (decides !== undefined && scenarioKind(other.kind).decides === decides),
      );
    };
    const releases = this.#releases;
    const isReleased = () => this.#releases > releases;
    for (const scenario of requested) {
      if (mayApply(scenario)) chosen.push({ ...addJitter(scenario, drawSeed(), 0), isReleased });
    }
    for (const entry of this.#entries) {
      const { scenario } = entry;
      if (!this.#isActive(entry) || !this.#selects(scenario, facts)) continue;
      const number = entry.selected;
      entry.selected += 1;
      if (!isAffected(scenario, number) || !mayApply(scenario)) continue;
      entry.applied += 1;
      const drawn = addJitter(scenario, scenario.seed ?? 0, number);
      chosen.push({ ...drawn, id: entry.id, endsAt: endOf(entry) });
    }
    return chosen;
  }

  /** Counts a scenario as not applied to the request for which it was chosen: it took no effect. */
  giveBack({ id }: AppliedScenario): void {
    const entry = this.#entries.find((each) => each.id === id);
    if (entry !== undefined) entry.applied -= 1;
  }

  /** Whether an active scenario of a kind selects a request, which is not counted. */
  has(kind: ScenarioKind, facts: ScenarioFacts): boolean {
    return this.#entries.some(
      (entry) =>
        entry.scenario.kind === kind &&
        this.#isActive(entry) &&
        isAffected(entry.scenario, entry.selected) &&
        this.#selects(entry.scenario, facts),
    );
  }

  #selects({ kind, operation, identity, reference }: Scenario, facts: ScenarioFacts): boolean {
    const {
      operations,
      defaultOperations = operations,
      onlyEvents,
      ofDeliveries,
    } = scenarioKind(kind);
    const selected = operation === undefined ? defaultOperations : [operation];
    const isSelected =
      facts.operation === undefined ? ofDeliveries === true : selected.includes(facts.operation);
    if (!isSelected || (onlyEvents && !facts.wantsEvents)) return false;
    if (identity !== undefined && facts.identity() !== identity) return false;
    return reference === undefined || facts.has(reference);
  }

  #read(value: unknown, path = ''): Scenario {
    const read = readScenario(value);
    const errors = 'errors' in read ? read.errors : this.#checkIdentity(read.scenario);
    if (errors.length > 0) {
      throw new ValidationFailedError(
        errors.map((error) => ({ ...error, field: `${path}${error.field}`.replace(/\.$/, '') })),
      );
    }
    // The cast is true because a scenario without errors was read.
    return withSeed((read as { scenario: Scenario }).scenario);
  }

  #checkIdentity({ identity }: Scenario): ValidationError[] {
    const names = this.#parts.identities.map(({ name }) => name);
    if (identity === undefined || names.includes(identity)) return [];
    const error = `must be one of [${names.join(', ')}]`;
    return [{ field: 'identity', error, code: 'UNKNOWN_CODE' }];
  }

  #start(scenario: Scenario): Entry {
    const { newId, clock } = this.#parts;
    return { id: newId(), scenario, createdAt: clock(), applied: 0, selected: 0 };
  }

  #isActive(entry: Entry): boolean {
    const { times = Number.POSITIVE_INFINITY } = entry.scenario;
    if (entry.applied >= times) return false;
    const endsAt = endOf(entry);
    return endsAt === undefined || this.#parts.clock() < endsAt;
  }

  #describe(entry: Entry): ScenarioState {
    const { id, scenario, createdAt, applied } = entry;
    const endsAt = endOf(entry);
    return {
      id,
      ...scenario,
      createdAt: createdAt.toISOString(),
      applied,
      ...(scenario.times !== undefined && { remaining: scenario.times - applied }),
      ...(endsAt !== undefined && { endsAt: endsAt.toISOString() }),
      active: this.#isActive(entry),
    };
  }
}

function endOf({ scenario: { seconds }, createdAt }: Entry): Date | undefined {
  return seconds === undefined ? undefined : new Date(createdAt.getTime() + seconds * 1000);
}

function tooMany(): ValidationFailedError {
  const error = `there must not be more than ${MAX_SCENARIOS} scenarios: delete one`;
  return new ValidationFailedError([{ field: '', error, code: 'SIZE' }]);
}
