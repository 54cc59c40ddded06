# Creates the role and the database of Landfall, once, on the first primary. Patroni passes the address of the database.
# There is no standby yet that could confirm a commit.
PGOPTIONS='-c synchronous_commit=local' exec psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$1" <<'SQL'
\getenv password LANDFALL_PASSWORD
create role landfall login password :'password';
-- The status of the service shows the lags of replicas.
grant pg_monitor to landfall;
create database landfall owner landfall;
SQL
