// Counts the outcomes of a list, and describes its progress.
import { grouped, startRate } from '../output/progress.js';

/** The outcome of a line. */
type Outcome = {
  key: string;
  outcome: 'presented' | 'lodged' | 'refused' | 'failed';
  /** With `failed`: whether it may have been done. */
  isUnknown: boolean;
  /** An earlier run, or an equal line, had the outcome. */
  isFromJournal: boolean;
  settled: boolean;
};

/** What is done with the lines of a list, in words. */
export type Done = {
  /** Such as `presented`. */
  done: 'presented' | 'lodged';
  /** The verb, such as `present`. */
  verb: string;
  /** What a line is. */
  line: string;
};

/** The numbers of a run. */
export class ListCounts {
  readonly total: number;
  readonly #invalid: number;
  readonly #keys = new Set<string>();
  readonly #rate = startRate();
  readonly #startedAt = performance.now();
  refused = 0;
  /** Lines with which nothing was done for another reason than a refusal. */
  failedOtherwise = 0;
  /** Lines whose outcome is not known. */
  unknown = 0;
  readonly #words: Done;
  #done = 0;
  #earlier = 0;
  #repeated = 0;
  #settled = 0;

  constructor(total: number, invalid: number, words: Done) {
    this.total = total;
    this.#words = words;
    this.#invalid = invalid;
  }

  add({ key, outcome, isUnknown, isFromJournal, settled }: Outcome): void {
    if (outcome === 'refused') this.refused += 1;
    else if (outcome !== 'failed') this.#done += 1;
    else if (isUnknown) this.unknown += 1;
    else this.failedOtherwise += 1;
    if (this.#keys.has(key)) this.#repeated += 1;
    else if (isFromJournal) this.#earlier += 1;
    else if (settled) this.#settled += 1;
    this.#keys.add(key);
  }

  /** Lines with which nothing was done. */
  get failed(): number {
    return this.refused + this.failedOtherwise + this.unknown + this.#invalid;
  }

  /** One line, while the run is in progress. */
  progress(): string {
    const done = this.#ended;
    const percent = Math.floor((100 * done) / this.total);
    const refused = this.refused === 0 ? '' : `, ${grouped(this.refused)} refused`;
    return `${grouped(done)} of ${grouped(this.total)} (${percent} %), ${this.#rate(this.#sent)}/s${this.#left()}${refused}`;
  }

  summary(): string {
    const parts = [
      `${grouped(this.#done)} ${this.#words.done}`,
      ...count(this.refused, 'refused'),
      ...count(this.failedOtherwise, 'failed'),
      ...count(this.unknown, 'with an unknown outcome'),
      ...count(this.#invalid, 'invalid and not sent'),
    ];
    const details = [
      ...count(this.#earlier, 'by an earlier run'),
      ...count(this.#repeated, 'equal to an earlier line'),
      ...count(this.#settled, 'settled by requestId'),
    ];
    const seconds = this.#seconds;
    return `${this.lines}: ${parts.join(', ')}${details.length > 0 ? ` (${details.join(', ')})` : ''}. ${seconds.toFixed(1)} s, ${this.#rate(this.#sent)}/s.`;
  }

  /** What is known after a run that did not come to its end. */
  afterFailure(isResumable: boolean): string {
    const known = `${grouped(this.#ended)} of ${this.lines} have an outcome`;
    return isResumable
      ? `${known}. To resume, run the same command again: nothing is ${this.#words.done} twice.`
      : `${known}. There is no journal to resume from: name one with --journal.`;
  }

  get #ended(): number {
    return this.#done + this.failed;
  }

  get #sent(): number {
    return this.#ended - this.#invalid - this.#earlier - this.#repeated;
  }

  get #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  /** How many lines there are, in words. */
  get lines(): string {
    const { line } = this.#words;
    return this.total === 1 ? `1 ${line}` : `${grouped(this.total)} ${line}s`;
  }

  #left(): string {
    if (this.#sent === 0) return '';
    return `, ${duration(((this.total - this.#ended) * this.#seconds) / this.#sent)} left`;
  }
}

function count(number: number, what: string): string[] {
  return number === 0 ? [] : [`${grouped(number)} ${what}`];
}

/** Formats seconds, such as `1 h 5 min`, `3 min 20 s` or `12 s`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole >= 3600) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return whole >= 60 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${whole} s`;
}
