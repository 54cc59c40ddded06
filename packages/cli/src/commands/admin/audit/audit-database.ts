// Which database the commands of the audit trail read, and why it cannot be used.
import type { Command } from 'commander';
import { CommandFailedError, codeOf } from '../../../process/exit.js';
import { explainDatabaseFailure } from '../../../process/explain-database-failure.js';

/** The database at DATABASE_URL; that of a playground with `--data`, or without DATABASE_URL. */
export function chooseDatabase(data: string, command: Command): { dataFolder?: string } {
  const explicitData = command.getOptionValueSource('data') === 'cli';
  const inPlayground = explicitData || (process.env.DATABASE_URL ?? '') === '';
  return inPlayground ? { dataFolder: data } : {};
}

/** Explains an error of the database or of exported months; any other error is returned unchanged. */
export function explainAuditFailure(error: unknown, data: string): unknown {
  const message = error instanceof Error ? error.message : data;
  switch (codeOf(error)) {
    case 'FOLDER_IN_USE':
      return new CommandFailedError(`${message}: stop the playground, then run this command again`);
    case 'AUDIT_FILE':
    case 'ENOSPC':
    case 'EACCES':
      return new CommandFailedError(message);
    default:
      return explainDatabaseFailure(error);
  }
}
