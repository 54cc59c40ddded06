// The public face of @landfall/service.
export { ConfigError } from './config.js';
export { FolderInUseError } from './database/embedded/folder-lock.js';
export {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from './playground/start-playground.js';
