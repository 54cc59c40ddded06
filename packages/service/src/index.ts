// The public face of @landfall/service. What is large is read when it is asked for: a command that lists keys does not
// read a server.
import type { ScopeName } from '@landfall/contract';
import type { Examination, OfflineKnowledge } from './access/examine-offline.js';
import type { ScopesGranted } from './access/grant-scopes.js';
import type { Config } from './config.js';
import type { Service } from './start-service.js';

export { ACCESS_TOKEN_LIFETIME } from './access/access-token-lifetime.js';
export type { Examination, OfflineKnowledge } from './access/examine-offline.js';
export type { ScopesGranted } from './access/grant-scopes.js';
export type { Finding } from './access/identity-provider/examine-grant.js';
export { recogniseToken, type TokenKind } from './access/recognise-token.js';
export { readPassphrase } from './access/signing-keys/key-passphrase.js';
export { type ListedKey, listKeys } from './access/signing-keys/list-keys.js';
export { readPublishedKeys } from './access/signing-keys/read-published-keys.js';
export { rotateKeys } from './access/signing-keys/rotate-keys.js';
export type { KeyPurpose } from './access/signing-keys/signing-key.js';
export type { AuditBreak, NamedEnd } from './audit/audit-break.js';
export type { Verification, VerifyOptions } from './audit/verify-audit.js';
export { UnsafeError } from './check-safety.js';
export { ConfigError } from './config.js';
export { BrokenDatabaseError } from './database/embedded/broken-database.js';
export { FolderInUseError } from './database/embedded/folder-lock.js';
export { DatabaseUnavailableError } from './database/errors.js';
export { MigrationBlockedError, MigrationMismatchError } from './database/migrate.js';
export { checkMigrations, migrateService, type PendingMigration } from './migrate-service.js';
export { NoDatabaseError } from './open-production-database.js';
export type { Playground } from './playground/serve-playground.js';
export { type PlaygroundOptions, startPlayground } from './playground/start-playground.js';
export type { Service } from './start-service.js';
export { verifyAuditService } from './verify-service.js';

/** Starts the service for production; its code is read when it is asked for. See `start-service.ts`. */
export async function startService(given: Partial<Config> = {}): Promise<Service> {
  const starting = await import('./start-service.js');
  return starting.startService(given);
}

/** Grants scopes to an organisation, without a server; its code is read when it is asked for. See `grant-service.ts`. */
export async function grantService(
  organisation: string,
  grant: { scopes: readonly ScopeName[]; name?: string },
): Promise<ScopesGranted> {
  const granting = await import('./grant-service.js');
  return granting.grantService(organisation, grant);
}

/** Examines a grant or a token; its code is read when it is asked for. See `access/examine-offline.ts`. */
export async function examineOffline(
  token: string,
  knowledge: OfflineKnowledge,
  now: Date,
): Promise<Examination> {
  const examining = await import('./access/examine-offline.js');
  return examining.examineOffline(token, knowledge, now);
}
