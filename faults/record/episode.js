// One episode: operations one after the other on a world of its own, each compared with the record. If the outcome of an
// operation is unknown, every possible record is kept until what is read leaves one.
import { setTimeout as delay } from 'node:timers/promises';
import { findDifference } from './compare.js';
import { Client } from './driver/client.js';
import { leaveWorld } from './driver/leave-world.js';
import { Observer } from './driver/observe.js';
import { readWhole } from './driver/read-whole.js';
import { createRecord, documentKey } from './model/record.js';
import { canonical } from './operations/check.js';
import { operations } from './operations/operations.js';
import { OFFICERS } from './world.js';

/** How often feeds and goods are read after an operation. A difference stays, so that a later reading finds it. */
const READ = 0.4;

/** After this many operations, and at the end, everything is read. */
const WHOLE_EVERY = 20;

/** With more possibilities than this, it is waited until nothing is late. */
const MAX_POSSIBLE = 50;

/** After this time nothing is late any more, in milliseconds. */
const LATE_MS = 3000;

/** An operation whose response was lost may still be done during so many later ones. */
const LATE = 4;

/**
 * Runs operations.
 *
 * @param {{ service: import('./driver/service.js').Service, provider: object, random: import('./random.js').Random,
 *   known: Set<string> }} run
 * @returns {Promise<{ done: number, unknown: number, failure?: { index: number, problem: string } }>}
 */
export async function runEpisode(run, world, sequence) {
  const client = new Client(run.service, run.provider, world);
  const episode = new Episode(run, client, world);
  try {
    await client.admit();
    await episode.begin();
    for (const [index, operation] of sequence.entries()) {
      const isWhole = index === sequence.length - 1 || (index + 1) % WHOLE_EVERY === 0;
      const problem = await episode.step(operation, isWhole);
      if (problem !== undefined) return { ...episode.counts, failure: { index, problem } };
    }
    return episode.counts;
  } finally {
    await episode.end();
    client.close();
  }
}

class Episode {
  counts = { done: 0, unknown: 0 };
  #run;
  #client;
  #world;
  #observer;
  /**
   * What the record may be, each with the operations that may still be done.
   *
   * @type {{ record: object, late: { operation: object, until: number }[] }[]}
   */
  #possible;
  /** The ids that each house consignment has had, by its declaration and document. */
  #ids = new Map();
  #arrivalsBefore;
  /** The place of what is done now in the order of operations. */
  #step = 0;

  constructor(run, client, world) {
    this.#run = run;
    this.#client = client;
    this.#world = world;
    this.#observer = new Observer(client, world, run.random);
    this.#possible = [{ record: createRecord(world), late: [] }];
  }

  /** Notes what earlier episodes have left. */
  async begin() {
    this.#arrivalsBefore = await this.#observer.arrivals();
  }

  end() {
    return leaveWorld(this.#run.service, this.#client, this.#observer);
  }

  /** Does one operation, reads, and compares; describes a difference. */
  async step(operation, isWhole) {
    const request = operations[operation.name].request(operation);
    const response = await this.#run.service.sendDisturbed(this.#client, operation, request);
    this.counts.done++;
    const isUnknown = response === undefined || response.status === 503;
    if (isUnknown || operation.disturbance !== undefined) await this.#run.service.settle();
    // Late operations are done before it or after it.
    this.#step = this.counts.done - 0.5;
    this.#addLate();
    this.#step = this.counts.done;
    const problem = isUnknown
      ? this.#applyUnknown(operation, response === undefined)
      : this.#applyKnown(operation, response);
    if (problem !== undefined) return problem;
    this.#step = this.counts.done + 0.25;
    this.#addLate();
    if (this.#possible.length > MAX_POSSIBLE) await this.#awaitLate();
    const isCertain = this.#possible.length === 1;
    if (!isWhole && isCertain && !this.#run.random.chance(READ)) return undefined;
    const difference = await this.#read(isWhole || isUnknown);
    if (difference === undefined || isCertain) return difference;
    // What is late may have been done while it was read.
    await this.#run.service.settle();
    return this.#read(true);
  }

  /** Reads, and keeps what is possible; describes a difference if nothing is. */
  async #read(isWhole) {
    const observation = await this.#observe(isWhole);
    return observation.problem ?? this.#keepPossible(observation);
  }

  /** All or a part of it may have been done, or may still be done if there is no response at all. */
  #applyUnknown(operation, mayBeLate) {
    this.counts.unknown++;
    const until = this.counts.done + LATE;
    this.#possible = distinct(
      this.#possible.flatMap((possibility) => [
        mayBeLate
          ? { ...possibility, late: [...possibility.late, { operation, until }] }
          : possibility,
        ...this.#done(possibility, operation),
      ]),
    );
  }

  /** It was done, and the response says how; describes a difference if that is impossible. */
  #applyKnown(operation, response) {
    const { check } = operations[operation.name];
    const problems = [];
    this.#possible = distinct(
      this.#possible.flatMap(({ record: before, late }) => {
        const { record, expected } = this.#applied(before, operation);
        const problem = check(expected, response, operation);
        if (problem === undefined) return [{ record, late }];
        problems.push(problem);
        return [];
      }),
    );
    return this.#possible.length === 0 ? problems[0] : undefined;
  }

  /** Adds that late operations have been done now, and forgets those that are no longer expected. */
  #addLate() {
    const expected = this.#possible.map(({ record, late }) => ({
      record,
      late: late.filter(({ until }) => until >= this.counts.done),
    }));
    const added = expected.flatMap(({ record, late }) =>
      late.flatMap(({ operation }, index) =>
        this.#done({ record, late: late.filter((_, other) => other !== index) }, operation),
      ),
    );
    this.#possible = distinct([...expected, ...added]);
  }

  /** Waits until nothing is late. */
  async #awaitLate() {
    await delay(LATE_MS);
    await this.#run.service.settle();
    while (this.#possible.some(({ late }) => late.length > 0)) {
      this.#addLate();
      const longest = Math.max(...this.#possible.map(({ late }) => late.length));
      this.#possible = distinct(
        this.#possible.map(({ record, late }) => ({
          record,
          late: late.length === longest ? [] : late,
        })),
      );
    }
  }

  /** What is possible after an operation whose response was lost was done, as a whole or in part. */
  #done({ record, late }, operation) {
    const { parts = (whole) => [whole] } = operations[operation.name];
    return parts(operation).map((part) => ({ record: this.#applied(record, part).record, late }));
  }

  /** A copy of a record after an operation. */
  #applied(before, operation) {
    const record = structuredClone(before);
    const context = { officer: OFFICERS[operation.officer], known: this.#run.known };
    // The same for every possibility, so that those in which it changes nothing become one.
    record.step = this.#step;
    const expected = operations[operation.name].apply(record, operation, context);
    return { record, expected };
  }

  #keepPossible(observation) {
    const problems = [];
    const remaining = this.#possible.filter(({ record }) => {
      const problem = findDifference(record, observation);
      if (problem !== undefined) problems.push(problem);
      return problem === undefined;
    });
    if (remaining.length === 0) return problems[0];
    this.#possible = remaining;
    return undefined;
  }

  /** Reads feeds and goods, or everything. */
  async #observe(isWhole) {
    const observer = this.#observer;
    const [feeds, goods] = await Promise.all([observer.readFeeds(), observer.searchAll()]);
    for (const { id, entrySummaryDeclarationMRN: mrn, transportDocumentHouseLevel } of goods) {
      const key = `${mrn} ${documentKey(transportDocumentHouseLevel)}`;
      const ids = this.#ids.get(key) ?? [];
      if (!ids.includes(id)) this.#ids.set(key, [...ids, id]);
    }
    const { random } = this.#run;
    const observation = { feeds, goods, ids: this.#ids };
    if (!isWhole) return observation;
    return {
      ...observation,
      ...(await readWhole(observer, this.#world, random, this.#ids)),
      arrivals: { before: this.#arrivalsBefore, now: await observer.arrivals() },
    };
  }
}

/** Possibilities that differ. */
function distinct(possible) {
  if (possible.length < 2) return possible;
  return [...new Map(possible.map((each) => [canonical(each), each])).values()];
}
