// What makes a server refuse to start or to be ready, for the runbook: no figure of the service's status says it, because the
// server that has it says so itself, on `/readyz` and in its log.

/** @type {Readonly<Record<string, { title: string, when: string, actions: readonly string[] }>>} */
export const serverConditions = {
  CLOCK: {
    title: 'The clock of a server is off',
    when: "`/readyz` of the server says by how much its clock differs from the database's, if that is more than 2 s; the alert `LandfallClock` says so from 1 s on. The server refuses all requests with 503 meanwhile.",
    actions: [
      'Compare both clocks with a third one: `chronyc tracking` or `timedatectl timesync-status` on both machines.',
      'Correct the clock that is wrong, and let it be kept (chrony, systemd-timesyncd). The server is ready again within seconds, without a restart.',
      'If the clock of the database was ahead by more than a day, read [what removal does](../guide/configure.md#keep-data-for-a-time) before you correct it.',
    ],
  },
  DURABILITY: {
    title: 'No standby confirms commits',
    when: 'With `LANDFALL_DURABILITY=replicated`, `/readyz` says that no standby confirms a commit within 3 s, and a server does not start. Requests wait, then get 503; nothing that was acknowledged is lost.',
    actions: [
      'See which standbys are connected: `select application_name, state, sync_state from pg_stat_replication` on the primary.',
      'Bring a synchronous standby back. With Patroni: `patronictl list`, and the log of the member that is missing.',
      'Only if none can come back, and you accept that one disk has everything: set `LANDFALL_DURABILITY=local` on every server and start them again one after the other, and turn `synchronous_mode_strict` off in Patroni. Turn both back on afterwards.',
    ],
  },
  DISK_FULL: {
    title: 'A disk is full',
    when: "That of the database: presentations get 503, and the log has `53100` or `No space left on device`. That of a server's temporary folder: uploads end with an error, and everything else works.",
    actions: [
      'See what has grown: `df -h`, and in the folder of PostgreSQL `du -sh base pg_wal log`.',
      'A large `pg_wal` is kept for a standby or an archive that does not take it: `select slot_name, active, restart_lsn from pg_replication_slots`, and `select * from pg_stat_archiver`. Bring it back, or drop the slot of a standby that never returns. Never delete files in `pg_wal` by hand.',
      'Give the disk more space, or remove what is not of the database. PostgreSQL that has stopped must be started again; servers are ready by themselves then.',
      'Limit what is kept: [retention](../guide/configure.md#keep-data-for-a-time). Space is used again after `autovacuum`; files do not become smaller.',
    ],
  },
  PROVIDER_DOWN: {
    title: 'A provider of identities does not respond',
    when: "The log has `the identity provider's keys cannot be read`, or that the metadata of the sign-in was not read, and `landfall_background_failures_total` counts the tasks `identity-provider-keys` and `console-sign-in`.",
    actions: [
      'Tokens that exist are valid until they expire. Exchanges work for 4 hours with the keys that were read last, then get 503. People who have signed in work for 15 minutes after their last confirmation.',
      'From the machine of a server: `curl -sv "$LANDFALL_IDP_JWKS_URL"`, and the same of `$LANDFALL_CONSOLE_OIDC_ISSUER/.well-known/openid-configuration`. Look at the name, the route, the certificate and its authority (`NODE_EXTRA_CA_CERTS`).',
      'If the address has changed, set it on every server and start them again one after the other. Otherwise nothing needs a restart: servers try again by themselves.',
    ],
  },
  DOCUMENT_SCANNER: {
    title: 'The scanner of documents does not respond',
    when: 'The log has `the scanner of documents did not say whether one has malware`, with the reason, `landfall_background_failures_total` counts the task `document-scanner`, and uploads of documents get 503. Everything else works, and nothing is stored without a scan.',
    actions: [
      'From the machine of a server, with the host and port in `LANDFALL_DOCUMENT_SCANNER`: `printf PING | nc clamav.internal 3310` prints `PONG`.',
      'Look at the log of the scanner: whether it has loaded its signatures, has memory, and has a `StreamMaxLength` above 10 MiB.',
      'Start it again. Servers need no restart: each upload asks it anew, and those who were refused send theirs again.',
    ],
  },
  PUSH: {
    title: 'Receivers of subscriptions do not confirm',
    when: 'Many subscriptions fail at the same time (`landfall_push_failing`), or `landfall_background_failures_total` counts the task `push`. One receiver that is away is the business of its organisation: its subscription says so, and nobody else waits for it.',
    actions: [
      'Compare the outcomes of `landfall_push_attempts_total`. `ADDRESS_REFUSED`: receivers are in a private network, see `LANDFALL_PUSH_RECEIVERS`. `UNREACHABLE` or `TIMEOUT` for all: servers have no route to the internet, or no name server. `CERTIFICATE_UNTRUSTED` for all: the authority of these receivers is missing in `NODE_EXTRA_CA_CERTS`, or something in between opens the connections; `CERTIFICATE_EXPIRED` for all: the clock of the server is wrong.',
      'From the machine of a server, with the host of a receiver: `curl -sv https://receiver.example/`. Proxies of the environment are not used.',
      'If the task `push` fails, its line in the log says why. What was not sent is sent by whichever server comes next, and nothing is lost.',
      'Subscriptions continue by themselves within an hour. After three days without a confirmation they are `SUSPENDED`, and their organisations set them `ACTIVE` again.',
    ],
  },
  NO_PRIMARY: {
    title: 'There is no primary',
    when: 'The log says that none of the servers in `DATABASE_URL` takes writes, `/readyz` is 503 on every server, and the alert `PostgresqlNoPrimary` is there. A failover takes up to 20 s, in which requests wait.',
    actions: [
      'After a minute: see what the cluster knows, `patronictl list`. Without a majority of etcd there is no failover: bring its members back first.',
      'Start the server that was the primary last, or a standby that was synchronous. Do not promote by hand what may lack acknowledged commits, and never have two primaries: the address in `DATABASE_URL` must lead to one history.',
      'When a primary is there, servers find it by themselves. [During a failover](../guide/high-availability.md#during-a-failover) says what clients see.',
    ],
  },
  MIGRATIONS: {
    title: 'The database has other migrations than the server',
    when: 'A server does not start, and says that the database lacks a migration, has one that this version does not know, or has another one of the same name.',
    actions: [
      'It lacks one: `landfall admin migrate` of this version, while servers of the version before run.',
      'It has one that this version does not know: the database is of a later release. Start the version that it needs, which the message names.',
      'It has another one of the same name: [migrations that differ](../guide/operate.md#migrations-that-differ).',
    ],
  },
  LONG_LOCK: {
    title: 'Somebody holds a lock for long',
    when: 'Some requests get 503 after 5 seconds and others are served, `/readyz` is 200, and the log has `another transaction holds a lock that this request needs for longer than it may wait`. It is the session of a person, a backup tool or a migration that waits; servers hold no lock for that long.',
    actions: [
      'Who is waited for: `select pid, usename, application_name, state, now() - xact_start as age, left(query, 80) from pg_stat_activity where pid in (select unnest(pg_blocking_pids(pid)) from pg_stat_activity) order by age desc`.',
      'A session in the state `idle in transaction` was forgotten: ask its owner, or end it with `select pg_terminate_backend(<pid>)`. What it has not committed is undone.',
      '`landfall admin migrate` waits for others itself, and gives up its lock meanwhile. It can be interrupted and run again.',
      'Requests are served as soon as the lock is gone. Clients that had 503 try again, and settle what they had sent.',
      'Let PostgreSQL end forgotten sessions of people: `alter role <person> set idle_in_transaction_session_timeout = 60000`.',
    ],
  },
  CONNECTIONS_USED_UP: {
    title: 'PostgreSQL takes no more sessions',
    when: '`/readyz` is 503, and the log has `too many connections` or `too many clients already` of PostgreSQL. Sessions that are open are served until they end.',
    actions: [
      'Who has them: `select usename, application_name, state, count(*) from pg_stat_activity group by 1, 2, 3 order by 4 desc`. If you cannot connect, use a superuser: `superuser_reserved_connections` are kept for that.',
      'End those that are not needed with `select pg_terminate_backend(<pid>)`, and limit their role: `alter role <name> connection limit 10`.',
      'A server has at most `LANDFALL_DATABASE_CONNECTIONS` sessions and 14 more. Set `max_connections` of PostgreSQL, and `connection limit` of the role and the database, above the sum of all servers, doubled for an upgrade during which both releases run.',
      'Servers are ready again by themselves, within seconds. One that did not start has said why and has ended: start it again.',
    ],
  },
  KEYS_LOST: {
    title: 'The keys that sign customs tokens are lost',
    when: 'The log has `the signing keys that were read before are still in use`, with what is wrong with the folder in `LANDFALL_KEYS`. Servers that run go on; one that starts refuses a folder that it cannot use, and makes new keys in an empty one.',
    actions: [
      'Put the folder back from a backup, with its owner and mode 0700. Servers that run read it within 5 seconds.',
      'Without a backup, or if the passphrase is lost: empty the folder, start one server, which makes new keys, copy the folder to all others, and start them one after the other.',
      'Tokens of the lost keys are refused with 401 from then on. Clients exchange theirs again, as they do when one has ended: nothing is to be done for them, and no data is signed with these keys.',
      'If somebody may have a copy, this is a [stolen key](../guide/operate.md#withdraw-a-key-or-a-certificate).',
    ],
  },
};
