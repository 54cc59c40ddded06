// The playground on an open database: dataset, identities, identity provider and the whole service.
import { join } from 'node:path';
import { type PlaygroundCredentials, playgroundIdentities } from '@landfall/contract';
import { readPassphrase } from '@landfall/service';
import type { Database } from '@landfall/service/assembly';
import { AuditTrail, makeApp, migrate, newId } from '@landfall/service/assembly';
import { type Config, readMetricsAccess } from '@landfall/service/config';
import type { DatasetSource } from './dataset/dataset-source.js';
import { prepareDataset } from './dataset/prepare-dataset.js';
import { loadDataset } from './dataset.js';
import { prepareIdentities } from './identities.js';
import { openIdentityProvider } from './identity-provider/identity-provider.js';
import { serveIdentityProvider } from './identity-provider/routes.js';

/** A running playground. */
export type Playground = {
  baseUrl: string;
  idpUrl: string;
  credentials: readonly PlaygroundCredentials[];
  close(): Promise<void>;
};

/** What a playground is served with. */
export type ServeOptions = {
  /** Is called before each slow step. */
  onProgress?: (progress: string) => void;
  /** Replaces the built-in goods. */
  dataset?: DatasetSource | undefined;
};

/** Serves a playground on an open database; closing the playground closes the database. */
export async function servePlayground(
  config: Config,
  database: Database,
  { onProgress = () => undefined, dataset }: ServeOptions = {},
): Promise<Playground> {
  const baseUrl = baseAddress(config);
  const idpUrl = `${baseUrl}/idp`;
  const applied = await migrate(database);
  if (applied.length > 0) onProgress(`brought the database up to date: ${applied.join(', ')}`);
  const loading = dataset && (await prepareDataset(database, dataset, onProgress));
  if (loading === undefined) await loadDataset(database, new Date(), newId);
  onProgress('preparing keys and certificates');
  const { dataFolder, scopePrefix } = config;
  const { credentials, trustedIssuers } = await prepareIdentities({
    database,
    audit: new AuditTrail(),
    dataFolder,
    baseUrl,
    idpUrl,
    scopePrefix,
    identities: [...playgroundIdentities, ...(loading?.identities ?? [])],
  });
  await loading?.load();
  const keysFolder = join(dataFolder, 'keys');
  const keysPassphrase = await readPassphrase(config);
  const identityProvider = await openIdentityProvider({
    database,
    issuer: idpUrl,
    audience: baseUrl,
    scopePrefix,
    trustedIssuers,
    keys: { folder: keysFolder, passphrase: keysPassphrase },
  });
  const { app } = await makeApp({
    config,
    database,
    baseUrl,
    identityProvider,
    addIdentityProvider: (context) => serveIdentityProvider(context, identityProvider),
    keysFolder,
    keysPassphrase,
    metrics: (await readMetricsAccess(config)) ?? {},
  });
  await app.listen({ host: config.host, port: config.port });
  return {
    baseUrl,
    idpUrl,
    credentials,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

/** An address of this machine is written as `localhost`. */
function baseAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  const name = local ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
