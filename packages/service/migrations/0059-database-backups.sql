-- locks: nothing

-- When a backup of each kind was last completed. The job that makes backups says so (deploy/backup/back-up.sh), and the status
-- of the service reports when it has stopped. A restored database has what was there before the backup.
create table database_backup (
  kind text collate "C" primary key,
  completed_at timestamptz not null
);
