// Why the playground could not start, and what to do about it.
import { CommandFailedError, codeOf, UsageError } from './exit.js';

/** Where it was to start. */
type Place = { host: string; port: number; data: string };

/** The error in the words of the command's options; one that they do not explain is given back as it is. */
export function explainStartFailure(error: unknown, { host, port, data }: Place): unknown {
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
        `${error instanceof Error ? error.message : data}; stop that one, or choose another folder with --data`,
      );
    case 'CONFIG':
      return new UsageError(error instanceof Error ? error.message : '');
    case 'EACCES':
      return new CommandFailedError(
        isAboutPort(error)
          ? `port ${port} needs more rights than this user has; choose one above 1023 with --port`
          : unwritable(data, code),
      );
    case 'EEXIST':
    case 'ENOTDIR':
    case 'ENOSPC':
    case 'EPERM':
    case 'EROFS':
      return new CommandFailedError(unwritable(data, code));
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

function unwritable(data: string, code: string): string {
  return `cannot write to the data folder ${data} (${code}); choose another with --data`;
}
