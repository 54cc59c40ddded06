// The versions of the service and its database, which the authority alone can read.
import { ApiError, Connection, fixedToken, type Versions } from '@landfall/client';
import { getVersions } from '@landfall/client/operations';
import type { IdentityOptions } from '../../input/options.js';
import type { Sending } from '../../service/open-fetch.js';
import { explainCall } from './advice-for-connection.js';
import { type Check, failed, ok, skipped, warning } from './check.js';

/** PostgreSQL before this version is not supported. */
const MIN_POSTGRESQL = 15;

/** @param tokens by scope */
export async function checkVersions(
  tokens: ReadonlyMap<string, string>,
  own: string,
  baseUrl: string,
  sending: Sending,
  options: IdentityOptions,
): Promise<Check[]> {
  const access = [...tokens].find(([scope]) => /[:/]authority\/(?:registry|routing)$/.test(scope));
  if (access === undefined) {
    return [
      skipped('versions', 'only the authority can read those of the service and its database'),
    ];
  }
  const connection = new Connection({
    baseUrl,
    retry: false,
    ...sending,
    tokens: fixedToken(access[1]),
  });
  try {
    return compareVersions(await connection.call(getVersions, {}), own);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return [skipped('versions', 'this service does not say its version')];
    }
    const { detail, advice } = explainCall(error, options);
    return [failed('versions', detail, advice)];
  }
}

/** Compares the versions with that of this command and with what is supported. */
export function compareVersions({ service, database }: Versions, own: string): Check[] {
  const { kind, version } = database;
  const name = kind === 'embedded' ? 'embedded PostgreSQL' : 'PostgreSQL';
  return [
    service === own
      ? ok('versions', `service ${service}, as this command`)
      : warning(
          'versions',
          `service ${service}, and this command is ${own}`,
          'Install the version of the service: npm install -g landfall@VERSION.',
        ),
    Number.parseInt(version, 10) < MIN_POSTGRESQL
      ? failed(
          'versions',
          `database ${name} ${version}`,
          `Update it: PostgreSQL ${MIN_POSTGRESQL} or newer is supported.`,
        )
      : ok(
          'versions',
          `database ${name} ${version}${kind === 'embedded' ? ', which is not for production' : ''}`,
        ),
  ];
}
