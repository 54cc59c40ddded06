// The public interface of @landfall/service. Large parts are loaded on their first use: a command that lists keys does
// not load a server.
import type { Config } from './config.js';
import type { BegunTimeline } from './production/begin-timeline.js';
import type { Service } from './production/start-service.js';

export type { Finding } from './access/examine-token.js';
export type { ScopesGranted } from './access/grant-scopes.js';
export { recogniseToken, type TokenKind } from './access/recognise-token.js';
export { changeKeyPassphrase } from './access/signing-keys/change-passphrase.js';
export { readPassphrase } from './access/signing-keys/key-passphrase.js';
export { type ListedKey, listKeys } from './access/signing-keys/list-keys.js';
export { readPublishedKeys } from './access/signing-keys/read-published-keys.js';
export { rotateKeys } from './access/signing-keys/rotate-keys.js';
export type { KeyPurpose } from './access/signing-keys/signing-key.js';
export type { ExportedMonth } from './audit/export-months.js';
export type { AuditBreak, NamedEnd } from './audit/read-record.js';
export type { Verification, VerifyOptions } from './audit/verify-audit.js';
export { type VerifiedMonths, verifyMonths } from './audit/verify-months.js';
export { isValidOn } from './code-lists/calendar-day.js';
export { readCustomsOffices } from './code-lists/read-customs-offices.js';
export { ConfigError } from './config.js';
export { MigrationBlockedError } from './database/apply-migration.js';
export type { Database } from './database/database.js';
export { BrokenDatabaseError } from './database/embedded/broken-database.js';
export { openEmbedded, openInMemory } from './database/embedded/embedded.js';
export { FolderInUseError, type FolderLock, lockFolder } from './database/embedded/folder-lock.js';
export { DatabaseUnavailableError } from './database/errors.js';
export { MigrationMismatchError } from './database/migrate.js';
export { openPostgresql } from './database/postgresql.js';
export { readSecret, SecretError } from './files/read-secret.js';
export { codeOf, messageOf } from './native-error.js';
export type { BegunTimeline } from './production/begin-timeline.js';
export {
  checkProviderAddress,
  checkProviderToken,
  type ProviderCheck,
  type ProviderSettings,
} from './production/check-provider.js';
export { UnsafeError } from './production/check-safety.js';
export {
  grantFirstScopes,
  listPendingMigrations,
  migrateDatabase,
  NoDatabaseError,
  type PendingMigration,
} from './production/maintain-database.js';
export { type Installation, readInstallation } from './production/read-installation.js';
export type { Service } from './production/start-service.js';
export {
  exportAuditTrail,
  exportRoutingDecisions,
  verifyAuditTrail,
} from './production/verify-audit-trail.js';

/** Starts the service for production; loaded on its first use. See `production/start-service.ts`. */
export async function startService(given: Partial<Config> = {}): Promise<Service> {
  const starting = await import('./production/start-service.js');
  return starting.startService(given);
}

/** Tells a restored database that it is one; loaded on its first use. See `production/begin-timeline.ts`. */
export async function declareRestored(given: Partial<Config> = {}): Promise<BegunTimeline> {
  const beginning = await import('./production/begin-timeline.js');
  return beginning.declareRestored(given);
}
