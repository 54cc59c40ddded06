// The public face of @landfall/service.
export { type ListedKey, listKeys } from './access/signing-keys/list-keys.js';
export { rotateKeys } from './access/signing-keys/rotate-keys.js';
export type { KeyPurpose } from './access/signing-keys/signing-key.js';
export { ConfigError } from './config.js';
export { FolderInUseError } from './database/embedded/folder-lock.js';
export {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from './playground/start-playground.js';
