#!/bin/sh
# Makes the backup that is due, and reports it to the database, whose servers say when backups have stopped. Once a day, as the
# user of PostgreSQL, on every server of the database: standbys leave it to the primary. The repository is made by the first run.
# Variables: LANDFALL_DATABASE, and those of psql and pgbackrest.
set -eu
stanza=${PGBACKREST_STANZA:-landfall}
export PGBACKREST_STANZA="$stanza"

sql() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 \
    --dbname "${LANDFALL_DATABASE:-landfall}" --command "$1"
}

if [ "$(sql 'select pg_is_in_recovery()')" = t ]; then
  echo 'a standby makes no backup: the primary does'
  exit 0
fi
pgbackrest stanza-create
# Archives a part of the log, and waits until it is in the repository.
pgbackrest check
is_recent=$(sql "select count(*) from database_backup where kind = 'full' and completed_at > now() - interval '6 days 12 hours'")
if [ "$is_recent" = 0 ]; then kind=full; else kind=diff; fi
pgbackrest --type="$kind" backup
# What a standby confirms is not waited for: the backup is made.
sql "set synchronous_commit = local;
  insert into database_backup values ('$kind', now())
    on conflict (kind) do update set completed_at = excluded.completed_at"
echo "a backup ($kind) was made"
