// Applies scenarios to the requests of a server.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type PlaygroundCredentials,
  type ScenarioKind,
  type ScenarioOf,
  scenarioKind,
} from '@landfall/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LateDecisions } from '../decisions/late-decisions.js';
import type { LaterEvents } from '../movements/later-events.js';
import type { ExchangeLog } from '../recording/exchange-log.js';
import { type AfterHandling, type Effect, type EffectContext, LOST } from './effect.js';
import { effects } from './effects.js';
import { readFacts } from './request-facts.js';
import { readScenarioHeader, SCENARIO_HEADER } from './scenario-header.js';
import type { ScenarioList } from './scenario-list.js';
import type { AppliedScenario } from './scenario-state.js';

/** What applying scenarios needs. */
export type ScenarioParts = {
  scenarios: ScenarioList;
  identities: readonly PlaygroundCredentials[];
  exchanges: ExchangeLog;
  decisions: LateDecisions;
  later: LaterEvents;
};

/** What a scenario does afterwards. */
type Afterwards = { scenario: AppliedScenario; step: AfterHandling };

/** Applies the scenarios of a list, and those in the headers of requests. */
export class ScenarioRunner {
  readonly #parts: ScenarioParts;
  readonly #chosen = new WeakMap<FastifyRequest, readonly AppliedScenario[]>();
  /** What is to be done when a request was handled. */
  readonly #afterwards = new WeakMap<FastifyRequest, readonly Afterwards[]>();
  /** Those of the request in whose handling the code runs. */
  readonly #current = new AsyncLocalStorage<readonly AppliedScenario[]>();
  #ended = new AbortController();

  constructor(parts: ScenarioParts) {
    this.#parts = parts;
  }

  /** Applies them to the requests of a server. */
  follow(app: FastifyInstance): void {
    app.addHook('preHandler', (request, reply, done) => {
      this.#endWhenRevoked(request);
      const chosen = this.#choose(request);
      if (chosen.length === 0) return done();
      this.#chosen.set(request, chosen);
      this.#parts.exchanges.addScenarios(request.raw, chosen);
      const { decisions, later } = this.#parts;
      const context = { request, reply, ended: this.#ended.signal, decisions, later };
      // When the connection is closed without a response. While a request is handled, its client may leave before.
      reply.raw.once('close', () => reply.sent && this.#runAfter(request).catch(() => undefined));
      this.#runBefore(chosen, context).then(
        // What handles the request finds them with `find`.
        () => reply.sent || this.#current.run(chosen, done),
        done,
      );
    });
    app.addHook('onSend', (request, _reply, _payload, done) => {
      if (!this.#afterwards.has(request)) return done();
      this.#runAfter(request).then(() => done(), done);
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      const { decisions, later } = this.#parts;
      const context = { request, reply, ended: this.#ended.signal, decisions, later };
      let sent: unknown = payload;
      for (const scenario of this.#chosen.get(request) ?? []) {
        sent = effectOf(scenario).send?.(scenario, context, sent) ?? sent;
        // The response does not continue: its connection is closed.
        if (sent === LOST) return;
      }
      done(null, sent);
    });
    app.addHook('preClose', async () => this.endWaits());
  }

  /** The scenario of a kind that takes effect on the request in whose handling this is called. */
  find<Kind extends ScenarioKind>(kind: Kind): ScenarioOf<Kind> | undefined {
    const found = this.#current.getStore()?.find((scenario) => scenario.kind === kind);
    // The cast is true because the kind of a scenario decides its type.
    return found as ScenarioOf<Kind> | undefined;
  }

  /** Ends what scenarios hold back; the connections are closed. */
  endWaits(): void {
    this.#ended.abort();
    this.#ended = new AbortController();
  }

  /** Ends what is open when the access of their organisation is revoked. */
  #endWhenRevoked(request: FastifyRequest): void {
    const { caller } = request;
    if (caller === null) return;
    const { scenarios, identities } = this.#parts;
    const isRevoked = () => {
      // An older scenario that decides its outcome is the only one that does.
      const isDecided = this.#chosen
        .get(request)
        ?.some(({ kind }) => scenarioKind(kind).decides === 'outcome');
      if (isDecided === true) return false;
      const facts = scenarios.isEmpty ? undefined : readFacts(request, identities);
      return facts !== undefined && scenarios.has('revoked-access', facts);
    };
    request.caller = {
      ...caller,
      stillAllowed: async (access) => !isRevoked() && (await caller.stillAllowed(access)),
    };
  }

  /** @throws ValidationFailedError for an invalid header */
  #choose(request: FastifyRequest): AppliedScenario[] {
    const { scenarios, identities } = this.#parts;
    const header = request.headers[SCENARIO_HEADER.toLowerCase()];
    if (header === undefined && scenarios.isEmpty) return [];
    const facts = readFacts(request, identities);
    if (facts === undefined) return [];
    return scenarios.choose(facts, readScenarioHeader(header, facts.operation));
  }

  async #runBefore(chosen: readonly AppliedScenario[], context: EffectContext): Promise<void> {
    const { request, reply } = context;
    const pending = inOrder(chosen);
    try {
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
        const step = await effectOf(next).before?.(next, context);
        if (step === LOST) {
          reply.hijack();
          break;
        }
        if (step !== undefined) {
          const steps = this.#afterwards.get(request) ?? [];
          this.#afterwards.set(request, [...steps, { scenario: next, step }]);
        }
      }
    } finally {
      // Those before whose turn the request has ended.
      for (const scenario of pending) this.#parts.scenarios.giveBack(scenario);
    }
    if (!reply.sent) return;
    await this.#runAfter(request);
    request.raw.socket.destroy();
  }

  /** Does once what is to be done afterwards. */
  async #runAfter(request: FastifyRequest): Promise<void> {
    const steps = this.#afterwards.get(request) ?? [];
    this.#afterwards.delete(request);
    for (const { scenario, step } of steps) {
      if (await step()) this.#parts.scenarios.settle(scenario);
      else this.#parts.scenarios.giveBack(scenario);
    }
  }
}

/** What only delays or prepares comes before what decides the outcome. */
function inOrder(chosen: readonly AppliedScenario[]): AppliedScenario[] {
  const decides = ({ kind }: AppliedScenario) => Number(scenarioKind(kind).decides === 'outcome');
  return chosen.toSorted((one, other) => decides(one) - decides(other));
}

function effectOf<Kind extends ScenarioKind>({ kind }: { kind: Kind }): Effect<Kind> {
  return effects[kind];
}
