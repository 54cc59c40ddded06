// The public face of @landfall/service.
export {
  type Examination,
  examineOffline,
  type OfflineKnowledge,
} from './access/examine-offline.js';
export type { Finding } from './access/identity-provider/examine-grant.js';
export { recogniseToken, type TokenKind } from './access/recognise-token.js';
export { type ListedKey, listKeys } from './access/signing-keys/list-keys.js';
export { readPublishedKeys } from './access/signing-keys/read-published-keys.js';
export { rotateKeys } from './access/signing-keys/rotate-keys.js';
export type { KeyPurpose } from './access/signing-keys/signing-key.js';
export { UnsafeError } from './check-safety.js';
export { ConfigError } from './config.js';
export { FolderInUseError } from './database/embedded/folder-lock.js';
export { DatabaseUnavailableError } from './database/errors.js';
export { MigrationMismatchError } from './database/migrate.js';
export { migrateService, NoDatabaseError } from './migrate-service.js';
export {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from './playground/start-playground.js';
export { type Service, startService } from './start-service.js';
