// Where metrics are served, and to whom, as it is configured.
import { type Config, ConfigError } from './config.js';
import { ChangingSecret } from './files/changing-secret.js';
import { readSecret, SecretError } from './files/read-secret.js';
import type { MetricsAccess } from './http/service-routes.js';

/** A bearer token (RFC 6750, section 2.1) that is hard to guess. */
const TOKEN = /^[\w.~+/-]{16,}=*$/;

/**
 * Where metrics are served: on a separate address, to holders of a token, or both; `undefined` where neither is
 * configured.
 *
 * @throws ConfigError for a token that cannot be used
 */
export async function readMetricsAccess(config: Config): Promise<MetricsAccess | undefined> {
  const { host, metricsPort, metricsTokenFile } = config;
  const token = await readToken(config);
  const access: MetricsAccess = { token };
  if (metricsPort !== 0) access.address = { host, port: metricsPort };
  else if (token === undefined) return undefined;
  if (metricsTokenFile !== '' && token !== undefined) {
    const readAgain = async () => (await readToken(config)) ?? token;
    access.followToken = (warn) => {
      const secret = new ChangingSecret(token, readAgain, warn);
      return () => secret.current();
    };
  }
  return access;
}

async function readToken({ metricsToken, metricsTokenFile }: Config): Promise<string | undefined> {
  const token = await readSecret('LANDFALL_METRICS_TOKEN', metricsToken, metricsTokenFile).catch(
    (error: unknown) => {
      throw error instanceof SecretError ? new ConfigError(error.message) : error;
    },
  );
  if (token !== undefined && !TOKEN.test(token)) {
    throw new ConfigError(
      'LANDFALL_METRICS_TOKEN must have 16 characters or more: letters, digits and - . _ ~ + /',
    );
  }
  return token;
}
