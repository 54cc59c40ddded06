// The problems of a running service: what each means, from which figure it is reported, and what an operator does.
// The rules that find them are in the service (`monitoring/find-problems.ts`).

/** A kind of problem. Documentation is generated from it. */
export type ServiceProblemKind = {
  severity: 'critical' | 'warning';
  /** A sentence without a full stop. */
  title: string;
  /** From when on it is reported, as a sentence. */
  when: string;
  /** What an operator does, in this order. Each is a sentence. */
  actions: readonly string[];
};

/** Every kind of problem, by its code, the worst first. */
export const serviceProblems = {
  AUDIT_BROKEN: {
    severity: 'critical',
    title: 'The audit trail is broken',
    when: 'The last verification found a record that is missing or does not match its digest, or data that is not what the trail says. A verification of records only does not end what a whole one has found.',
    actions: [
      'Restrict who can write to the database, and keep a copy of it as it is now.',
      'Run `landfall admin audit verify` again and note the chain and the position of each break.',
      'Compare with the chain ends that earlier verifications have printed, to find out when it was changed.',
    ],
  },
  ERRORS: {
    severity: 'critical',
    title: 'Requests fail',
    when: 'More than 1 % of the requests, and at least 5, got a status of 500 or more in each of the last 2 minutes.',
    actions: [
      'Search the log for `unexpected error` and `unavailable`: each line has the route and the reason.',
      'Check that the database accepts connections and that its disk is not full.',
      'If it began with a new version, return to the previous one; migrations stay applied.',
    ],
  },
  CANNOT_COMMIT: {
    severity: 'critical',
    title: 'A server cannot commit',
    when: 'The database refuses what a server writes, because its disk is full, the role of the server lacks a right, or a table is in a state in which it cannot be changed. The server is not ready meanwhile. It tries a statement that failed again every 5 seconds, and is ready again by itself.',
    actions: [
      'Search the log for `this server cannot commit`: there is one line when it begins, with the reason, and one when it ends.',
      'If the disk of the database is full, give it more space or remove what does not belong to PostgreSQL. Never delete files in the folder of PostgreSQL.',
      'If a right is missing, grant it to the role in `DATABASE_URL` again: the reason names the table.',
      'If the reason is another one, it says what PostgreSQL wants: a table that is published for logical replication needs a replica identity, and a partition that is being detached must be detached whole.',
    ],
  },
  IDENTITY_PROVIDER: {
    severity: 'critical',
    title: "The identity provider's keys cannot be read",
    when: 'The key set at `LANDFALL_IDP_JWKS_URL` could not be read in the last check of a server, every 5 seconds after the start and at least every 5 minutes later. The last keys are used for 4 hours; then no token can be exchanged.',
    actions: [
      'Run `landfall admin check-provider` with the address of the provider on the machine of the server.',
      'If it can be read there, compare `LANDFALL_IDP_JWKS_URL` of the server, and its proxies and certificate authorities.',
      'If the provider is down, tell those who run it. Customs tokens that were exchanged before are valid until they expire.',
    ],
  },
  SERVER_SILENT: {
    severity: 'critical',
    title: 'A server has stopped reporting',
    when: 'A server that was not stopped has written no figures for 150 seconds. It is reported for an hour.',
    actions: [
      'Check whether the process runs and whether `/readyz` responds.',
      'Read the end of its log, and start it again.',
      'If it runs, check whether it reaches the database.',
    ],
  },
  RELAY_STOPPED: {
    severity: 'critical',
    title: 'No server relays to NATS',
    when: 'A relay is configured, and no server was relaying in the last 3 minutes. Nothing is lost: the relay continues where it ended.',
    actions: [
      'Search the log for `are not relayed to NATS`: it has the reason.',
      'Check that NATS accepts connections at the address in `NATS_URL`, that a majority of its servers runs, and that the stream is not full.',
    ],
  },
  RELAY_STREAMS: {
    severity: 'critical',
    title: 'Feeds are relayed to several streams',
    when: 'Servers relay the same feeds to streams with different prefixes, or the prefix was changed. Retention keeps what one of the streams does not have, so nothing is lost, but more and more is kept.',
    actions: [
      'Set the same `LANDFALL_NATS_PREFIX` on all servers, and start them again.',
      "When nobody reads the other stream any more, remove what is recorded of it: `delete from relay_position where stream = '...'`.",
    ],
  },
  REPLICA_MISSING: {
    severity: 'critical',
    title: 'A replica of the database has disconnected',
    when: 'Fewer replicas are connected to the database than at any time in the last 6 hours, for 3 minutes.',
    actions: [
      'Check whether the replica runs, and why it has lost its connection.',
      'Watch the disk of the primary: a replication slot keeps what the replica has not received.',
    ],
  },
  ARCHIVE_STOPPED: {
    severity: 'critical',
    title: 'The log of the database is not archived',
    when: 'A part of the log waits to be archived, and none was archived for 10 minutes, in each of the last 3 minutes. After a loss of the database, what was acknowledged since would be lost. The disk of the primary fills meanwhile.',
    actions: [
      'Read the log of PostgreSQL on the primary: it has what the archive command has written. `select * from pg_stat_archiver` says what failed last.',
      'On the primary, as the user of PostgreSQL: `pgbackrest --stanza=landfall check` says whether the repository can be reached, has space, and takes its key.',
      'Bring the repository back. PostgreSQL archives what waits by itself. Never delete files in `pg_wal` by hand, and do not turn archiving off to save space.',
      'If `pgbackrest` had to drop parts of the log (`archive-push-queue-max`), make a full backup at once: no second between the last backup and that one can be restored.',
    ],
  },
  BACKUP_OLD: {
    severity: 'critical',
    title: 'The last backup is old',
    when: 'The last backup that was reported was completed more than 26 hours ago, or the database was restored since. Nothing is reported while no backup has ever been: see `landfall admin status`.',
    actions: [
      'On the primary: `systemctl status landfall-backup.timer landfall-backup.service` and `journalctl -u landfall-backup` say when it ran and why it failed; with compose, the log of the container of the primary has it.',
      'Make one by hand: `/usr/local/lib/landfall/back-up.sh`, and read what it prints.',
      'If backups are made and only not reported, let the job report them as `deploy/backup/back-up.sh` does.',
    ],
  },
  QUEUE: {
    severity: 'warning',
    title: 'Requests wait long for their commit',
    when: 'More than 1,000 requests were waiting on one server in each of the last 3 minutes; above 10,000 they get 503.',
    actions: [
      'Compare the size of commits: if it does not grow with the queue, the database is the limit.',
      'Check the disk of the database: every commit waits for it.',
      'Check for a transaction that holds locks: `select * from pg_stat_activity order by xact_start`.',
    ],
  },
  SLOW: {
    severity: 'warning',
    title: 'Presentations are slow',
    when: '1 % of the presentations took longer than 1 second in each of the last 5 minutes.',
    actions: [
      'Compare with the queue and the sessions of the database, to find out what requests wait for.',
      'Compare with the processor time of the servers: above 0.9 add servers.',
    ],
  },
  POOL: {
    severity: 'warning',
    title: 'Requests wait for a session of the database',
    when: 'A request was waiting for a session of the pool in each of the last 3 minutes.',
    actions: [
      'Increase `LANDFALL_DATABASE_CONNECTIONS`, and `max_connections` of PostgreSQL if that is the limit.',
      'Check for slow statements in `pg_stat_activity`.',
    ],
  },
  BUSY: {
    severity: 'warning',
    title: 'A server has no processor time left',
    when: 'A server used more than 0.9 of one processor in each of the last 5 minutes.',
    actions: [
      'Add a server, or give this one less of the load.',
      'See in the list of callers whether one organisation causes it.',
    ],
  },
  RELAY_BEHIND: {
    severity: 'warning',
    title: 'The relay to NATS is behind',
    when: 'More than 10,000 entries were not yet relayed in each of the last 5 minutes.',
    actions: [
      'If a large upload or presentation has just ended, wait: the figure must decrease.',
      'If it is `GOODS_ITEM_VIEWS` and a view was changed, wait too: what the view shows is relayed again from the beginning.',
      'Check the disk and the replicas of the stream in NATS: entries are acknowledged before the next are read.',
    ],
  },
  RELAY_HELD: {
    severity: 'warning',
    title: 'A feed or a view is not relayed to NATS, and others are',
    when: 'In each of the last 3 minutes, the server that relays could not relay something of one organisation: NATS refuses its next entry, or to empty its subject, or its view cannot be read. It is tried again every 10 seconds.',
    actions: [
      'Search the log for `of one feed are not relayed` and `of one view are not relayed`: the line has the organisation and the reason.',
      'If the subject is full, raise `max_msgs_per_subject` of the stream. If the view cannot be read, set it again.',
      'If a purge is refused, the stream has `deny_purge`: delete the stream and its consumers, and it is made and filled anew.',
    ],
  },
  REPLICATION_BEHIND: {
    severity: 'warning',
    title: 'A replica of the database is behind',
    when: 'A replica was more than 30 seconds behind in each of the last 3 minutes.',
    actions: [
      'Check the network and the disk of the replica.',
      'Check for a long query on the replica that delays what it applies.',
    ],
  },
  STANDBY_UNUSED: {
    severity: 'warning',
    title: 'A standby is not read from',
    when: 'A standby in `LANDFALL_READ_DATABASE_URL` could not be read from for most of each of the last 3 minutes. The primary is read instead.',
    actions: [
      'Search the log for `a standby is not read from`: each line names the standby and the reason.',
      'If it is behind, check its network, its disk, and long queries on it that delay what it applies.',
      'If it is not a standby of this primary, as after a failover, create it anew.',
      'If it is removed for good, remove it from `LANDFALL_READ_DATABASE_URL`.',
    ],
  },
  BACKGROUND: {
    severity: 'warning',
    title: 'Background work fails',
    when: 'Work that no request waits for has failed in the last 5 minutes.',
    actions: [
      'Search the log for the name of the task: each line says what failed and what happens next.',
      'Most tasks are repeated by themselves; if the failures continue, check what the task depends on.',
    ],
  },
  REFUSALS: {
    severity: 'warning',
    title: 'One organisation is refused very often',
    when: 'An organisation made at least 100 requests in the last 15 minutes, of which more than half were refused (401, 403 or 429).',
    actions: [
      'Search the log for `refused` with the organisation: each line has the reason.',
      'Contact the organisation; block it if it does not stop and disturbs others.',
    ],
  },
  CONNECTIONS: {
    severity: 'warning',
    title: 'Connections are closed because there are too many',
    when: 'A server closed connections in the last 5 minutes because of `LANDFALL_MAX_CONNECTIONS`.',
    actions: [
      'See which addresses hold the connections, in the load balancer.',
      'Increase the limit if the server has memory for them, or add a server.',
    ],
  },
  VERSIONS: {
    severity: 'warning',
    title: 'The servers have different versions',
    when: 'Servers that report now have different versions.',
    actions: [
      'During an upgrade there is nothing to do: servers of two neighbouring releases run side by side, and the problem ends with the upgrade.',
      'Otherwise start the servers of the other version again with the version that all should have.',
      'A server of a release that is further behind must not run beside the others: stop it.',
    ],
  },
  AUDIT_OLD: {
    severity: 'warning',
    title: 'The audit trail was not verified for a long time',
    when: 'The last verification of the whole trail ended more than 8 days ago; or there was none, and the trail began more than 8 days ago.',
    actions: [
      'Run `landfall admin audit verify`.',
      'Let it run every week by itself, on one machine: with systemd `systemctl enable --now landfall-audit-verify.timer` (`deploy/systemd`), in Kubernetes the CronJob of `deploy/kubernetes/verify-audit.yaml`, elsewhere a line of cron: `0 3 * * 0 landfall admin audit verify`.',
      'If it runs and this is still reported, read its last output: it ends with 1 if the trail is broken or was not read whole.',
    ],
  },
} as const satisfies Record<string, ServiceProblemKind>;

/** The code of a kind of problem. */
export type ServiceProblemCode = keyof typeof serviceProblems;

/**
 * The address of an entry of the runbook, or its path in the repository.
 *
 * @param entry its name: the code of a problem, or of what a server says itself, such as `CLOCK`
 * @param documentationUrl where the documents are, as `LANDFALL_DOCUMENTATION_URL`; empty: nowhere
 */
export function runbookAddress(entry: string, documentationUrl = ''): string {
  const path = `docs/reference/runbook.md#${entry.toLowerCase()}`;
  return documentationUrl === '' ? path : `${documentationUrl}/${path}`;
}
