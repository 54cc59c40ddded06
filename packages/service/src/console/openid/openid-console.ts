// People sign in to the console with OpenID Connect: the addresses of the sign-in, and signing out at the provider.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ChangingSecret } from '../../files/changing-secret.js';
import { addressKey } from '../../http/rate-limit.js';
import { hasOwnLine } from '../../http/request-log.js';
import { codeOf } from '../../native-error.js';
import type { ConsoleSettings, SignInContext } from '../console-settings.js';
import type { RoleAssignment } from '../sessions.js';
import { addBackChannelLogout } from './back-channel-logout.js';
import { makeConfirmRights } from './confirm-rights.js';
import { identifyPerson, type Person } from './identify-person.js';
import { makeSecrets, OpenIdProvider } from './provider.js';
import { Redemptions } from './redemptions.js';
import { addRefusal, readReturnAddress } from './return-address.js';
import type { OpenIdSettings } from './settings.js';
import { makeSignInCookie } from './sign-in-cookie.js';
import { SignInRefusedError } from './sign-in-refusal.js';

/** Where the provider sends the browser back: the operator registers it at the provider. */
const CALLBACK_PATH = '/console/sign-in/callback';

/** An id of a session is shorter; a cookie that is longer than 4,096 bytes is not kept. */
const MAX_ID = 200;

/**
 * Makes the sign-in with a provider.
 *
 * @param baseUrl the address at which browsers reach the service
 * @param reportFailure is given each failure of the provider
 */
export function makeOpenIdConsole(
  settings: OpenIdSettings,
  baseUrl: string,
  reportFailure: (error: unknown) => void,
): ConsoleSettings {
  const { clientSecret, readClientSecret = async () => clientSecret } = settings;
  const secret = new ChangingSecret(clientSecret, readClientSecret, (sentence) =>
    reportFailure(new Error(`${sentence} (LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE)`)),
  );
  const provider = new OpenIdProvider(settings, secret, reportFailure);
  void provider.prepare();
  return {
    signIn: 'openid-connect',
    timeZone: settings.timeZone,
    addSignIn: (context) => {
      addSignIn(context, provider, secret, settings, baseUrl);
      addBackChannelLogout(context, provider, settings);
    },
    confirm: makeConfirmRights(provider, settings),
    signOutAddress: async ({ tokens }) =>
      tokens && provider.signOutAddress(tokens.idToken, `${baseUrl}/console/`),
  };
}

/** Adds `GET /console/sign-in` and the address to which the provider sends the browser back. */
function addSignIn(
  { app, readSession, start, signInTime, findScopes, addresses }: SignInContext,
  provider: OpenIdProvider,
  secret: ChangingSecret,
  settings: OpenIdSettings,
  baseUrl: string,
): void {
  const cookie = makeSignInCookie(baseUrl, settings, () => secret.known);
  const redemptions = new Redemptions();
  const admit = ({ ip }: FastifyRequest) => addresses.count(addressKey(ip), Date.now());

  app.get<{ Querystring: { return?: unknown } }>('/console/sign-in', async (request, reply) => {
    admit(request);
    reply.header('Cache-Control', 'no-store');
    const returnTo = readReturnAddress(request.query.return);
    return refusing(request, reply, returnTo, async () => {
      const secrets = makeSecrets();
      const address = await provider.authorizationAddress(secrets, baseUrl + CALLBACK_PATH);
      const session = readSession(request);
      const before = session !== undefined && session.length <= MAX_ID ? session : undefined;
      const begunAt = (await signInTime()).getTime();
      reply.header('Set-Cookie', cookie.write({ ...secrets, returnTo, before, begunAt }));
      return reply.redirect(address, 302);
    });
  });

  app.get(CALLBACK_PATH, async (request, reply) => {
    admit(request);
    // The sign-in may have begun on a server that has the next secret already.
    await secret.current();
    const started = cookie.read(request.headers.cookie);
    reply
      .header('Cache-Control', 'no-store')
      .header('Referrer-Policy', 'no-referrer')
      // A sign-in is used once.
      .header('Set-Cookie', cookie.remove());
    const returnTo = readReturnAddress(started?.returnTo);
    return refusing(request, reply, returnTo, async () => {
      if (started === undefined) throw new SignInRefusedError('expired');
      const [, query] = request.url.split('?', 2);
      const { claims, tokens } = await redemptions.run(started.state, addressKey(request.ip), () =>
        provider.redeem(new URLSearchParams(query), started, baseUrl + CALLBACK_PATH),
      );
      const person = identifyPerson(claims, settings);
      const assignment = await chooseNarrowest(person, findScopes);
      const { before, begunAt } = started;
      const signIn = { before, begunAt: new Date(begunAt) };
      await start(reply, { ...person, ...assignment, tokens }, signIn);
      return reply.redirect(returnTo, 302);
    });
  });
}

/**
 * What a person acts as at first: the narrowest assignment of which something is granted to the organisation.
 *
 * @throws SignInRefusedError if no organisation is registered: the session would be refused everywhere
 */
async function chooseNarrowest(
  { subject, assignments }: Person,
  findScopes: SignInContext['findScopes'],
): Promise<RoleAssignment> {
  let registered: RoleAssignment | undefined;
  let refused: unknown;
  for (const assignment of assignments) {
    try {
      if ((await findScopes(subject, assignment)).length > 0) return assignment;
      registered ??= assignment;
    } catch (error) {
      if (codeOf(error) !== 'INVALID_TOKEN') throw error;
      refused = error;
    }
  }
  if (registered !== undefined) return registered;
  throw new SignInRefusedError('not-registered', { cause: refused });
}

/** Runs a step of the sign-in. A browser that is refused gets the page with the reason, and a program a problem. */
async function refusing(
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
  step: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof SignInRefusedError)) throw error;
    const { refusal, cause } = error;
    const line = 'nobody was signed in to the console';
    const refused = error.toHttpError();
    if (hasOwnLine(request, refused.status)) {
      // The operator has configured something that the provider refuses, or somebody has typed the address.
      if (refusal === 'refused') request.log.warn({ err: cause, refusal }, line);
      else request.log.info({ refusal }, line);
    }
    if (!request.headers.accept?.includes('text/html')) throw refused;
    return reply.redirect(addRefusal(returnTo, error.refusal), 302);
  }
}
