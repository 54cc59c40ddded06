// Why somebody could not sign in. The console words it for people, in their language.
import { HttpError } from '../../http/problem.js';

/** Each reason, with its status and the sentence that programs get. */
const refusals = {
  cancelled: { status: 403, detail: 'The provider did not sign anybody in. Sign in again.' },
  expired: {
    status: 400,
    detail:
      'This sign-in was not begun in this browser, took longer than 10 minutes, or another one was begun after it. Sign in again.',
  },
  refused: {
    status: 400,
    detail:
      'The provider sent the browser back with an error. Sign in again; if it remains so, the operator finds the error in the log of the server.',
  },
  'no-organisation': {
    status: 403,
    detail:
      'The account names no organisation. Ask whoever manages accounts at the provider; the operator configures the claim in LANDFALL_CONSOLE_OIDC_ORGANISATION_CLAIM.',
  },
  'no-role': {
    status: 403,
    detail:
      'The account has no role that may use the console. Ask whoever manages accounts at the provider; the operator configures roles in LANDFALL_CONSOLE_ROLES.',
  },
  'ambiguous-roles': {
    status: 403,
    detail:
      'The account has several roles and several organisations, and does not say which role is for which organisation. Ask whoever manages accounts at the provider to send an object with the roles of each organisation in the claim that LANDFALL_CONSOLE_OIDC_ROLES_CLAIM names, such as {"0192:974760673": ["gate"]}.',
  },
  'not-registered': {
    status: 403,
    detail: "The account's organisation is not registered, or it or the person is blocked.",
  },
  'signed-out': {
    status: 403,
    detail: 'The provider signed this account out while it was being signed in. Sign in again.',
  },
  unavailable: {
    status: 503,
    detail:
      'The provider that signs people in cannot be reached. Try again in a minute; if it remains so, ask the operator.',
  },
  busy: {
    status: 503,
    detail: 'Too many people are signing in at the same time. Sign in again in a moment.',
  },
  failed: {
    status: 503,
    detail:
      "The provider's response could not be accepted. Sign in again; if it remains so, the operator finds the reason in the log of the server.",
  },
} as const;

/** Why somebody could not sign in, as the console's address has it. */
export type Refusal = keyof typeof refusals;

/** Somebody could not sign in. */
export class SignInRefusedError extends Error {
  readonly code = 'SIGN_IN_REFUSED';
  override name = 'SignInRefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusals[refusal].detail, options);
    this.refusal = refusal;
  }

  /** The error for programs. */
  toHttpError(): HttpError {
    const { status, detail } = refusals[this.refusal];
    return new HttpError(status, detail, status === 503 ? { 'Retry-After': '5' } : {});
  }
}
