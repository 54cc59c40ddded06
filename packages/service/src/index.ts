// The public face of @landfall/service.
import type { PlaygroundCredentials } from '@landfall/contract';

export { FolderInUseError } from './database/embedded/folder-lock.js';

/** Starts the whole service on this machine. */
export async function startPlayground(_options: {
  host: string;
  port: number;
  dataFolder: string;
  logLevel: string;
  tell: (progress: string) => void;
}): Promise<{
  baseUrl: string;
  idpUrl: string;
  credentials: PlaygroundCredentials[];
  close(): Promise<void>;
}> {
  throw new Error('not there yet');
}
