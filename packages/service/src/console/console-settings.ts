// How people sign in to the console: what the program that assembles the service decides.
import type { ScopeName } from '@landfall/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../http/rate-limit.js';
import type { ConfirmRights } from './database-sessions.js';
import type { ProviderLogout, RoleAssignment, SignedIn } from './sessions.js';

/** How people sign in, and what the pages show. */
export type ConsoleSettings = {
  /**
   * `identity`: they choose an identity of the playground; `space`: they open a space of a hosted playground;
   * `openid-connect`: they sign in at a provider.
   */
  signIn: 'identity' | 'space' | 'openid-connect';
  /** The space of a hosted playground that it is the console of. */
  space?: string | undefined;
  /** The time zone of the customs offices, such as `Europe/Oslo`. */
  timeZone: string;
  /** The data folder of a playground, as it was given, for commands that people copy. */
  dataFolder?: string;
  /** Adds the addresses for signing in, which call `start` with whoever has signed in. */
  addSignIn(context: SignInContext): void;
  /** Confirms what somebody may still act as; without it, that is what they could when they signed in. */
  confirm?: ConfirmRights;
  /** Where the browser continues after signing out, if not at the console. */
  signOutAddress?(signedIn: SignedIn): Promise<string | undefined>;
};

/** A sign-in that began at the provider. */
export type BegunSignIn = {
  begunAt: Date;
  /** The id of another session of this browser, which ends too. */
  before: string | undefined;
};

/** What an address for signing in needs. */
export type SignInContext = {
  app: FastifyInstance;
  /**
   * The id of the session whose cookie the browser sends, if there is one. It sends none when the page of another site
   * sends it here (`SameSite=Strict`).
   */
  readSession(request: FastifyRequest): string | undefined;
  /**
   * Starts a session and adds its cookie to the response. The session ends whose cookie the browser sends.
   *
   * @param signIn how it began at the provider, if that signed the person in; throws as `Sessions.start` does
   */
  start(reply: FastifyReply, signedIn: SignedIn, signIn?: BegunSignIn): Promise<void>;
  /** When a sign-in at the provider begins, as `start` is given it later. */
  signInTime(): Promise<Date>;
  /**
   * What somebody could do now in a role assignment. Throws InvalidTokenError if the organisation is not registered, or
   * it or the subject is blocked.
   */
  findScopes(subject: string, assignment: RoleAssignment): Promise<ScopeName[]>;
  /**
   * Ends the sessions that the provider has ended, on every server. Returns how many; `undefined` if the same logout was
   * received before, which then has no effect.
   */
  endByProvider(logout: ProviderLogout): Promise<number | undefined>;
  /** Limits the requests of an address. */
  addresses: RateLimit;
};
