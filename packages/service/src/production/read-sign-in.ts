// How people sign in to the console in production, read from the configuration.
import type { Config } from '../config.js';
import { type Roles, RolesError, readRoles } from '../console/openid/roles.js';
import type { OpenIdSettings } from '../console/openid/settings.js';
import { readSecret, SecretError } from '../files/read-secret.js';
import { isProtected } from './check-safety.js';

/** The fewest characters of the key of pseudonyms: with fewer, they could be guessed. */
const MIN_KEY_LENGTH = 32;

/**
 * The settings of the sign-in, without which there is no console, and why the configuration cannot be used: each reason
 * names its variable and the rule.
 */
export async function readSignIn(
  config: Config,
): Promise<{ settings?: OpenIdSettings; reasons: string[] }> {
  const reasons: string[] = [];
  const issuer = config.consoleIssuer;
  if (issuer === '') return { reasons: findUnused(config) };
  const needed = (value: string, variable: string) => {
    if (value === '') {
      reasons.push(`${variable} is not set: it is required with LANDFALL_CONSOLE_OIDC_ISSUER`);
    }
  };
  if (!isProtected(issuer)) {
    reasons.push(
      `LANDFALL_CONSOLE_OIDC_ISSUER is ${issuer}: it must begin with https:// (or be on this machine)`,
    );
  }
  needed(config.consoleClientId, 'LANDFALL_CONSOLE_OIDC_CLIENT_ID');
  needed(config.consoleRoles, 'LANDFALL_CONSOLE_ROLES');
  if (!config.consoleScope.split(' ').includes('openid')) {
    reasons.push('LANDFALL_CONSOLE_OIDC_SCOPES must contain openid');
  }
  const read = async (variable: string, file: string) => {
    needed(file, `${variable}_FILE`);
    if (file === '') return '';
    try {
      const secret = (await readSecret(variable, '', file)) ?? '';
      if (secret === '') reasons.push(`the file in ${variable}_FILE is empty: ${file}`);
      return secret;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      reasons.push(error.message);
      return '';
    }
  };
  const clientSecret = await read(
    'LANDFALL_CONSOLE_OIDC_CLIENT_SECRET',
    config.consoleClientSecretFile,
  );
  const subjectKey = await read('LANDFALL_CONSOLE_SUBJECT_KEY', config.consoleSubjectKeyFile);
  if (subjectKey !== '' && subjectKey.length < MIN_KEY_LENGTH) {
    reasons.push(
      `the key in LANDFALL_CONSOLE_SUBJECT_KEY_FILE must have ${MIN_KEY_LENGTH} characters or more`,
    );
  }
  const roles = tryToReadRoles(config.consoleRoles, reasons);
  if (reasons.length > 0) return { reasons };
  return {
    reasons,
    settings: {
      issuer,
      clientId: config.consoleClientId,
      clientSecret,
      readClientSecret: () => readAgain(config),
      scope: config.consoleScope,
      rolesClaim: config.consoleRolesClaim,
      organisationClaim: config.consoleOrganisationClaim,
      roles,
      subjectKey,
      timeZone: config.timeZone,
      acceptsTrials: config.trial === 'on',
    },
  };
}

/** The client's secret as its file has it now. Throws SecretError. */
async function readAgain({ consoleClientSecretFile: file }: Config): Promise<string> {
  const variable = 'LANDFALL_CONSOLE_OIDC_CLIENT_SECRET';
  const secret = await readSecret(variable, '', file);
  if (secret) return secret;
  throw new SecretError(`the file in ${variable}_FILE is empty: ${file}`);
}

/** Settings of a sign-in without its provider: the operator expects a console, and would get none. */
function findUnused(config: Config): string[] {
  const given = [
    ['LANDFALL_CONSOLE_OIDC_CLIENT_ID', config.consoleClientId],
    ['LANDFALL_CONSOLE_OIDC_CLIENT_SECRET_FILE', config.consoleClientSecretFile],
    ['LANDFALL_CONSOLE_ROLES', config.consoleRoles],
    ['LANDFALL_CONSOLE_SUBJECT_KEY_FILE', config.consoleSubjectKeyFile],
  ].filter(([, value]) => value !== '');
  return given.map(
    ([variable]) =>
      `${variable} is set without LANDFALL_CONSOLE_OIDC_ISSUER, the provider at which people sign in`,
  );
}

function tryToReadRoles(text: string, reasons: string[]): Roles {
  try {
    return readRoles(text);
  } catch (error) {
    if (!(error instanceof RolesError)) throw error;
    reasons.push(`LANDFALL_CONSOLE_ROLES ${error.message}`);
    return new Map();
  }
}
