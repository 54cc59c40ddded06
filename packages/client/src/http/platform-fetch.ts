// The platform's `fetch`, without the time limits that Node.js adds to those of the caller.
import type { Fetch } from './send-request.js';

/** What sends the requests of Node.js' `fetch`: an agent, or one for proxies. */
type Dispatcher = { dispatch(options: object, handler: unknown): unknown };

/** Where Node.js keeps the one of the process. Whoever sets it with `undici`, or with NODE_USE_ENV_PROXY, changes this too. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * Node.js ends a request whose response, or the next piece of it, takes longer than 300 seconds. The limits of the client
 * hold instead. Other platforms have no such option: browsers end what is silent after about five minutes.
 */
const options = {
  dispatcher: {
    dispatch: (request: object, handler: unknown) =>
      dispatcher()?.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler),
  },
};

// The cast is true of what Node.js and undici put there.
const dispatcher = () => Reflect.get(globalThis, DISPATCHER) as Dispatcher | undefined;

/** Calls the `fetch` that the platform has now, so that a program can replace it later. */
export const platformFetch: Fetch = (input, init) => {
  // Loads what puts the agent there: the first request of a program, which is one for a token, has it too.
  new Headers();
  return globalThis.fetch(input, dispatcher() === undefined ? init : { ...init, ...options });
};
