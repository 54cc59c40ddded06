// What a case works with: callers for the roles, tokens, and its own data.

import { Caller, type OperationId } from '../http/caller.js';
import type { Exchange, HttpResponse } from '../http/exchange.js';
import type { GrantChanges } from '../http/sign-grant.js';
import type { Tokens } from '../http/tokens.js';
import { type Identity, type Role, roles, type Settings } from '../settings/settings.js';
import type { FeedStarts } from './feed-starts.js';
import { NotTestedError } from './not-tested-error.js';

/** How long undoing a change may take, in milliseconds. */
const CLEAN_UP_TIMEOUT_MS = 10_000;

/** The parts of a run that all cases share. */
export type RunContext = {
  settings: Settings;
  tokens: Tokens;
  starts: FeedStarts;
  /** The longest time that a case may wait for something to end, in milliseconds. */
  maxWaitMs: number;
  /** Within how many milliseconds a new list of customs offices is in use; default: a minute, as the contract says. */
  listInUseWithinMs?: number;
};

/** The context of one case. */
export class CaseContext {
  readonly run: RunContext;
  /** Everything that was sent and received, in order. */
  readonly exchanges: Exchange[] = [];
  readonly signal: AbortSignal;

  constructor(run: RunContext, signal: AbortSignal) {
    this.run = run;
    this.signal = signal;
  }

  get settings(): Settings {
    return this.run.settings;
  }

  /** The identity of a role. Throws NotTestedError if there is none. */
  identity(role: Role): Identity {
    const identity = this.settings.identities[role];
    if (identity === undefined) throw new NotTestedError(missingIdentity(role));
    return identity;
  }

  /** Calls operations as a role. Throws NotTestedError if it has no identity. */
  as(role: Role): Caller {
    return this.#caller(this.identity(role));
  }

  /** Calls operations without a token. */
  get anonymous(): Caller {
    return this.#caller(undefined);
  }

  /** A customs token of a role. */
  token(role: Role): Promise<string> {
    return this.run.tokens.customsToken(this.identity(role));
  }

  /** Posts a grant, with changes. */
  requestAccessToken(role: Role, scope?: string, changes?: GrantChanges): Promise<HttpResponse> {
    return this.requestAccessTokenOf(this.identity(role), scope, changes);
  }

  /** Posts a grant of a client that the case has registered, with changes. */
  requestAccessTokenOf(
    identity: Identity,
    scope = identity.scopes.join(' '),
    changes?: GrantChanges,
  ): Promise<HttpResponse> {
    return this.run.tokens.requestAccessToken(identity, scope, this.#sending, changes);
  }

  /** Posts a form to the exchange. */
  exchange(form: Record<string, string> | string): Promise<HttpResponse> {
    return this.run.tokens.exchange(form, this.#sending);
  }

  /** The last entry of a feed before the first case; `undefined` if there was none. */
  start(role: Role, operationId: OperationId): Promise<string | undefined> {
    return this.run.starts.find(operationId, role);
  }

  /** A context for undoing what the case has changed. It works after the case has been ended, too. */
  cleanUp(): CaseContext {
    return new CaseContext(this.run, AbortSignal.timeout(CLEAN_UP_TIMEOUT_MS));
  }

  get #sending() {
    return { signal: this.signal, record: (exchange: Exchange) => this.exchanges.push(exchange) };
  }

  #caller(identity: Identity | undefined): Caller {
    const connection = { baseUrl: this.settings.baseUrl, ...this.#sending };
    return new Caller(connection, identity, (given) => this.run.tokens.customsToken(given));
  }
}

/** Why a case without an identity for a role is not tested. */
export function missingIdentity(role: Role): string {
  return `no identity "${role}" in the settings: ${roles[role]}`;
}
