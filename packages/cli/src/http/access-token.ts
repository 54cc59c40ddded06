// Obtains a customs token: signs a grant, gets an access token for it, exchanges that for a customs token.
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
import { readRefusal } from './service-refused-error.js';
import { GRANT_LIFETIME, signGrant } from './sign-grant.js';

/** Receives each completed step and its details. */
export type ReportStep = (step: string, ...details: string[]) => void;

/**
 * Obtains a new customs token.
 *
 * @param scope one or more, separated by spaces
 * @throws ServiceRefusedError when the identity provider or the exchange refuses
 */
export async function obtainCustomsToken(
  session: Session,
  scope: string,
  reportStep: ReportStep = () => undefined,
): Promise<CustomsToken> {
  const { credentials } = session;
  const grant = await signGrant(credentials, { scope, now: Date.now(), jti: randomUUID() });
  reportStep(
    `signed a grant as ${credentials.client_id}`,
    `${grant.algorithm}, valid for ${GRANT_LIFETIME} s, aud ${credentials.idp_url}`,
    `scope ${scope}`,
  );
  const accessToken = await requestAccessToken(session, grant.assertion);
  reportStep(
    'the identity provider issued an access token',
    `POST ${session.idpUrl}/token`,
    `scope ${accessToken.scope}, valid for ${accessToken.expires_in} s`,
  );
  const customsToken = await exchangeToken(session, accessToken.access_token);
  reportStep(
    'customs exchanged it for a customs token',
    `POST ${session.baseUrl}${operations.exchangeToken.path}`,
    `valid for ${customsToken.expires_in} s`,
  );
  return customsToken;
}

/** Requests an access token from the identity provider. */
async function requestAccessToken(session: Session, assertion: string): Promise<AccessToken> {
  const form = { grant_type: JWT_BEARER_GRANT, assertion };
  const text = await postForm(session, `${session.idpUrl}/token`, form);
  return readMessage(text, compileCheck<AccessToken>(AccessToken), 'requestAccessToken');
}

/** Exchanges an access token for a customs token. */
async function exchangeToken(session: Session, subjectToken: string): Promise<CustomsToken> {
  const { operationId, path } = operations.exchangeToken;
  const text = await postForm(session, `${session.baseUrl}${path}`, {
    grant_type: TOKEN_EXCHANGE_GRANTS[0],
    subject_token_type: ACCESS_TOKEN_TYPES[0],
    subject_token: subjectToken,
  });
  return readMessage(text, compileCheck<CustomsToken>(CustomsToken), operationId);
}

async function postForm(
  session: Session,
  url: string,
  form: Record<string, string>,
): Promise<string> {
  const body = new URLSearchParams(form);
  const response = await reach(session, url, { method: 'POST', body });
  if (!response.ok) throw await readRefusal(response);
  return readText(response);
}
