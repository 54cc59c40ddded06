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
      'Compare the outcomes of `landfall_push_attempts_total`. `ADDRESS_REFUSED`: receivers are in a private network, see `LANDFALL_PUSH_RECEIVERS`. `UNREACHABLE` or `TIMEOUT` for all: servers have no route to the internet, or no name server.',
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
};
