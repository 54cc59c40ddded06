#!/bin/sh
# Patroni, and beside it the backup that is due, every night at two: on whichever server is the primary then. One that fails is
# in the log of the container, and the status of Landfall reports that the last one is old.
while sleep $((($(date --date 'tomorrow 02:00' +%s) - $(date +%s)) % 86400 + 1)); do
  # Not for Patroni, whose other users would be given this password too.
  PGHOST=/run/postgresql PGUSER=postgres PGPASSWORD="$PATRONI_SUPERUSER_PASSWORD" /usr/local/lib/landfall/back-up.sh || echo 'the backup failed' >&2
done &
exec patroni /etc/patroni.yaml
