// The chain to a customs token: a signed grant, the identity provider's token for it, and the exchange.
import { randomUUID } from 'node:crypto';
import {
  ACCESS_TOKEN_TYPES,
  AccessToken,
  CustomsToken,
  compileCheck,
  JWT_BEARER_GRANT,
  operations,
  TOKEN_EXCHANGE_GRANTS,
} from '@landfall/contract';
import type { Session } from './credentials.js';
import { reach, readText } from './reach-service.js';
import { readMessage } from './read-message.js';
import { refusalOf } from './service-refused-error.js';
import { GRANT_LIFETIME, signGrant } from './sign-grant.js';

/** Is told each step of the chain: what was done, and particulars. */
export type TellStep = (step: string, ...particulars: string[]) => void;

/**
 * Goes the whole way to a new customs token.
 *
 * @param scope one or more, separated by spaces
 * @throws ServiceRefusedError when the identity provider or the exchange refuses
 */
export async function obtainCustomsToken(
  session: Session,
  scope: string,
  tellStep: TellStep = () => undefined,
): Promise<CustomsToken> {
  const { credentials } = session;
  const grant = await signGrant(credentials, { scope, now: Date.now(), jti: randomUUID() });
  tellStep(
    `signed a grant as ${credentials.client_id}`,
    `${grant.algorithm}, good for ${GRANT_LIFETIME} s, aud ${credentials.idp_url}`,
    `scope ${scope}`,
  );
  const accessToken = await requestAccessToken(session, grant.assertion);
  tellStep(
    'the identity provider gave its token for it',
    `POST ${session.idpUrl}/token`,
    `scope ${accessToken.scope}, good for ${accessToken.expires_in} s`,
  );
  const customsToken = await exchangeToken(session, accessToken.access_token);
  tellStep(
    'customs exchanged that for a customs token',
    `POST ${session.baseUrl}${operations.exchangeToken.path}`,
    `good for ${customsToken.expires_in} s`,
  );
  return customsToken;
}

/** The identity provider's token for a signed grant. */
async function requestAccessToken(session: Session, assertion: string): Promise<AccessToken> {
  const form = { grant_type: JWT_BEARER_GRANT, assertion };
  const answer = await postForm(session, `${session.idpUrl}/token`, form);
  return readMessage(answer, compileCheck<AccessToken>(AccessToken), 'requestAccessToken');
}

/** The customs token for the identity provider's token. */
async function exchangeToken(session: Session, subjectToken: string): Promise<CustomsToken> {
  const { operationId, path } = operations.exchangeToken;
  const answer = await postForm(session, `${session.baseUrl}${path}`, {
    grant_type: TOKEN_EXCHANGE_GRANTS[0],
    subject_token_type: ACCESS_TOKEN_TYPES[0],
    subject_token: subjectToken,
  });
  return readMessage(answer, compileCheck<CustomsToken>(CustomsToken), operationId);
}

async function postForm(
  session: Session,
  url: string,
  form: Record<string, string>,
): Promise<string> {
  const body = new URLSearchParams(form);
  const response = await reach(session, url, { method: 'POST', body });
  if (!response.ok) throw await refusalOf(response);
  return readText(response);
}
