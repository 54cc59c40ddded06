// Where metrics are served, and to whom, as it is configured.
import { type Config, ConfigError } from './config.js';
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
export async function readMetricsAccess({
  host,
  metricsPort,
  metricsToken,
  metricsTokenFile,
}: Config): Promise<MetricsAccess | undefined> {
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
  if (metricsPort !== 0) return { address: { host, port: metricsPort }, token };
  return token === undefined ? undefined : { token };
}
