// Why a server could not start, and what to do about it.
import { CommandFailedError, codeOf, UsageError } from './exit.js';

/** Where it was to start; the folder with what it is called, and the option that names another. */
type Place = {
  host: string;
  port: number;
  folder: { name: string; path: string; option: string };
};

/** The error in the words of the command's options; one that they do not explain is given back as it is. */
export function explainStartFailure(error: unknown, { host, port, folder }: Place): unknown {
  const code = codeOf(error);
  switch (code) {
    case 'EADDRINUSE':
      return new CommandFailedError(
        `port ${port} is in use on ${host}; choose another with --port, or 0 for any that is free`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandFailedError(
        `this machine has no address ${host}; choose another with --host`,
      );
    case 'FOLDER_IN_USE':
      return new CommandFailedError(
        `${error instanceof Error ? error.message : folder.path}; stop that one, or choose another folder with ${folder.option}`,
      );
    case 'CONFIG':
      return new UsageError(error instanceof Error ? error.message : '');
    case 'BROKEN_DATABASE':
    case 'UNREADABLE_KEY_FILE':
    case 'KEY_PASSPHRASE':
      return new CommandFailedError(error instanceof Error ? error.message : '');
    case 'EACCES':
      return new CommandFailedError(
        isAboutPort(error)
          ? `port ${port} needs more rights than this user has; choose one above 1023 with --port`
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

/** The lock of the folder is a socket too, but one without a port. */
function isAboutPort(error: unknown): boolean {
  return (
    error instanceof Error && 'port' in error && typeof error.port === 'number' && error.port > 0
  );
}

/** A file that is read and is not there is a fault of ours; a folder that cannot be made is the data folder. */
function isMissingFile(error: unknown): boolean {
  return (
    codeOf(error) === 'ENOENT' &&
    !(error instanceof Error && 'syscall' in error && error.syscall === 'mkdir')
  );
}

function unwritable({ name, path, option }: Place['folder'], code: string): string {
  return `cannot write to ${name} ${path} (${code}); choose another with ${option}`;
}
