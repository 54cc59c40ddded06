// Metrics of the backups of the database, on PostgreSQL.
import type { Queryable } from '../database/database.js';
import type { Gauge } from '../metrics/measure.js';
import { type BackupRow, selectBackups } from './queries.js';

/** The metrics; each is left out while it is not known. */
export function makeBackupMeasures(database: Queryable): Gauge[] {
  const read = (figure: keyof BackupRow) => async () => {
    const [row] = await database.query(selectBackups);
    return row?.[figure] ?? undefined;
  };
  return [
    {
      name: 'landfall_archive_lag_seconds',
      help: 'How long ago a part of the log of the database was archived, if one waits for it; absent if the log is not archived',
      read: read('archiveLag'),
    },
    {
      name: 'landfall_backup_age_seconds',
      help: 'How long ago a backup of the database was completed; absent if none was reported',
      read: read('backupAge'),
    },
  ];
}
