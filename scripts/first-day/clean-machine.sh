#!/usr/bin/env bash
# Makes of namespaces a machine that nobody has used, with a new PostgreSQL, and runs a command on it. `check-first-day.js`
# starts it in namespaces for the network, mounts and processes: the ports are free, what it writes outside of the folder is
# gone afterwards, and so is every process.
# Arguments: a folder for what it writes, then the command.
set -e -o pipefail
folder=$1
shift

ip link set lo up
# Written in memory: the command installs a server there.
mkdir -p "$folder/tmp" "$folder/written"
chmod 1777 "$folder/tmp"
mount -t tmpfs tmpfs "$folder/written"
for part in /etc /opt /usr/local /var/lib; do
  mkdir -p "$folder/written$part/upper" "$folder/written$part/work"
  mount -t overlay overlay \
    -o "lowerdir=$part,upperdir=$folder/written$part/upper,workdir=$folder/written$part/work" "$part"
done
mount --bind "$folder/tmp" /tmp
rm -rf /etc/landfall /opt/landfall /var/lib/landfall /usr/local/bin/landfall
if getent passwd landfall; then userdel landfall; fi

programs=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
install -d -o postgres /tmp/postgresql
as_postgres() (
  cd /tmp/postgresql
  exec setpriv --reuid postgres --regid postgres --clear-groups "$programs/$1" "${@:2}"
)
as_postgres initdb -D /tmp/postgresql/data -U postgres -A trust >/tmp/postgresql/initdb.log
as_postgres pg_ctl -D /tmp/postgresql/data -l /tmp/postgresql/log -w start \
  -o '-p 5432 -c listen_addresses=127.0.0.1 -c unix_socket_directories=/tmp/postgresql -c max_connections=300'

unset TMPDIR DATABASE_URL TEST_DATABASE_URL
"$@"
