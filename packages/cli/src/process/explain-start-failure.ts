// Explains why a server could not start and what to do about it.
import { CommandFailedError, codeOf, UsageError } from './exit.js';

/** The address and folder of the server, and the option that chooses another folder. */
type StartOptions = {
  host: string;
  port: number;
  folder: { name: string; path: string; option: string };
};

/** Explains an error in terms of the command's options; any other error is returned unchanged. */
export function explainStartFailure(error: unknown, { host, port, folder }: StartOptions): unknown {
  const code = codeOf(error);
  switch (code) {
    case 'EADDRINUSE':
      return new CommandFailedError(
        `port ${port} is in use on ${host}; choose another with --port, or --port 0 for any free port`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandFailedError(
        `this machine has no address ${host}; choose another with --host`,
      );
    case 'FOLDER_IN_USE':
      return new CommandFailedError(
        `${error instanceof Error ? error.message : folder.path}; stop that process, or choose another folder with ${folder.option}`,
      );
    case 'CONFIG':
    case 'PLAYGROUND_OPTION':
      return new UsageError(error instanceof Error ? error.message : '');
    case 'BROKEN_DATABASE':
    case 'INVALID_DATASET':
    case 'UNREADABLE_DATASET':
    case 'UNREADABLE_KEY_FILE':
    case 'KEY_PASSPHRASE':
      return new CommandFailedError(error instanceof Error ? error.message : '');
    case 'EACCES':
      return new CommandFailedError(
        isAboutPort(error)
          ? `port ${port} needs privileges that this user does not have; choose a port above 1023 with --port`
          : unwritable(folder, code),
      );
    case 'EEXIST':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENOSPC':
    case 'EPERM':
    case 'EROFS':
      return isMissingFile(error) ? error : new CommandFailedError(unwritable(folder, code));
    default:
      return error;
  }
}

/** The folder lock is also a socket, but has no port. */
function isAboutPort(error: unknown): boolean {
  return (
    error instanceof Error && 'port' in error && typeof error.port === 'number' && error.port > 0
  );
}

/** A file missing on reading is a bug and is not explained; a folder that cannot be created is the data folder. */
function isMissingFile(error: unknown): boolean {
  return (
    codeOf(error) === 'ENOENT' &&
    !(error instanceof Error && 'syscall' in error && error.syscall === 'mkdir')
  );
}

function unwritable({ name, path, option }: StartOptions['folder'], code: string): string {
  return `cannot write to ${name} ${path} (${code}); choose another with ${option}`;
}
