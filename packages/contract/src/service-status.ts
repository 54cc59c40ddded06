// The status of a service that runs on several servers: what is wrong, and its figures of the last day.
import { type Static, type TOptional, Type } from 'typebox';
import { OrganisationIdentifier } from './organisation.js';
import { uuidQuery } from './paging.js';
import { Amount, Count, Instant } from './quantities.js';
import { type RelayName, relayNames, relays } from './relays.js';
import { type ServiceProblemCode, serviceProblems } from './service-problems.js';
import { Versions } from './versions.js';

/** Hours that figures are kept and can be requested. */
export const MAX_STATUS_HOURS = 24;

/** Maximum number of points of the series of a status. */
export const MAX_STATUS_POINTS = 300;

/** Maximum number of organisations that a status lists. */
export const MAX_STATUS_CALLERS = 20;

/** Maximum number of failed requests that a status lists. */
export const MAX_FAILED_REQUESTS = 100;

/** Maximum number of problems that have ended, and of starts of servers, that a status lists. */
export const MAX_PAST = 100;

/** The query of the status. */
export const ServiceStatusQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_STATUS_HOURS,
      default: MAX_STATUS_HOURS,
      description: 'How many hours until now the series and the callers cover',
    }),
  ),
  failedRequest: uuidQuery('Of the failed requests, only the one with this id'),
});
export type ServiceStatusQuery = Static<typeof ServiceStatusQuery>;

const ServerName = Type.String({ description: 'Host name and port of the server' });

const ServiceProblem = Type.Object(
  {
    code: Type.Enum(Object.keys(serviceProblems) as ServiceProblemCode[], {
      $id: 'ServiceProblemCode',
      description: 'The kind of problem, as in the runbook',
    }),
    severity: Type.Enum(['critical', 'warning'], {
      description: '`critical`: goods may wait because of it; `warning`: it may become critical',
    }),
    since: Type.Optional(Instant('The minute since which it lasts, at most a day ago')),
    until: Type.Optional(Instant('When it ended; absent while it lasts')),
    failedRequests: Type.Optional(
      Count('Requests with a status of 500 or more while it lasted; absent without `since`'),
    ),
    title: Type.String({ description: 'What is wrong' }),
    subject: Type.Optional(
      Type.String({
        description: 'What it is about: a server, a task, an organisation or a replica',
      }),
    ),
    value: Type.Optional(Amount('The figure from which it is reported, in the unit of the rule')),
    when: Type.String({ description: 'The rule: from when on it is reported' }),
    actions: Type.Array(Type.String(), { description: 'What an operator does, in this order' }),
    runbook: Type.String({
      description:
        "The section of the project's runbook: its address, or its path, such as `docs/reference/runbook.md#errors`",
    }),
  },
  { $id: 'ServiceProblem', description: 'Something that is wrong, or was' },
);
export type ServiceProblem = Static<typeof ServiceProblem>;

const ServerStatus = Type.Object(
  {
    name: ServerName,
    version: Type.String({ description: 'The version of the server, such as `0.1.0`' }),
    state: Type.Enum(['REPORTING', 'STOPPED', 'SILENT'], {
      $id: 'ServerState',
      description:
        '`STOPPED`: it was stopped; `SILENT`: it has written no figures for 150 seconds and was not stopped',
    }),
    startedAt: Instant('When it started'),
    reportedAt: Instant('The end of its last figures'),
    requestsPerSecond: Amount('Completed requests a second, in its last figures'),
    processorShare: Amount('Share of one processor that it used, in its last figures'),
    memoryBytes: Count('Memory of the process'),
    queued: Count('Requests that waited for a commit'),
  },
  { $id: 'ServerStatus', description: 'A server, by what it reported last' },
);
export type ServerStatus = Static<typeof ServerStatus>;

const Latencies = Type.Object(
  {
    presentations: Type.Optional(Amount('Presentations')),
    writes: Type.Optional(Amount('Other operations that change data')),
    reads: Type.Optional(Amount('Operations that read and do not wait for new entries')),
    tokens: Type.Optional(Amount('Token requests')),
  },
  {
    $id: 'Latencies',
    description:
      'The time within which 99 % of the requests of each kind got their response, in seconds: that of the slowest server and minute. It is the upper bound of the bucket of the histogram',
  },
);

/** A kind of requests whose durations are reported. */
export type LatencyKind = keyof Static<typeof Latencies>;

type RelayLags = {
  [name in RelayName as (typeof relays)[name]['lag']]: TOptional<ReturnType<typeof Count>>;
};

// The cast is true because the type is made from the same list.
const relayLags = Object.fromEntries(
  relayNames.map((name) => [
    relays[name].lag,
    Type.Optional(Count(`Not yet relayed to NATS: ${relays[name].entries}`)),
  ]),
) as RelayLags;

const StatusPoint = Type.Object(
  {
    at: Instant('The beginning of the step'),
    requestsPerSecond: Amount('Completed requests a second, of all servers'),
    refusedPerSecond: Amount('Those with the status 401, 403 or 429'),
    failedPerSecond: Amount('Those with a status of 500 or more'),
    latencies: Latencies,
    queued: Count('Requests that waited for a commit; the highest of any server and minute'),
    commitsPerSecond: Amount('Group commits a second, of all servers'),
    commitSize: Type.Optional(Amount('Requests of one commit, on average')),
    poolSessions: Type.Optional(
      Count('Sessions of the pool that were open; the highest of any server and minute'),
    ),
    poolWaiting: Type.Optional(
      Count('Requests that waited for a session; the highest of any server and minute'),
    ),
    processorShare: Amount('Share of one processor; the highest of any server and minute'),
    memoryBytes: Count('Memory of a process; the highest of any server and minute'),
    ...relayLags,
    replicas: Type.Optional(Count('Replicas that were connected to the database; the lowest')),
    replicationLag: Type.Optional(Amount('Seconds that the slowest replica was behind')),
    servers: Count('Servers that reported'),
  },
  { $id: 'StatusPoint', description: 'The figures of one step' },
);
export type StatusPoint = Static<typeof StatusPoint>;

const StatusSeries = Type.Object(
  {
    step: Type.Integer({ minimum: 60, description: 'Seconds between two points' }),
    points: Type.Array(StatusPoint, {
      maxItems: MAX_STATUS_POINTS,
      description: 'Oldest first. A step in which no server reported is left out',
    }),
  },
  { $id: 'StatusSeries', description: 'The figures of the requested hours' },
);

const ServerStart = Type.Object(
  {
    server: ServerName,
    at: Instant('When it started'),
    version: Type.String({ description: 'The version that it has since then' }),
  },
  { $id: 'ServerStart', description: 'A start of a server' },
);
export type ServerStart = Static<typeof ServerStart>;

const StatusCaller = Type.Object(
  {
    organisation: OrganisationIdentifier,
    requests: Count('Completed requests'),
    refused: Count('Those with the status 401, 403 or 429'),
    failed: Count('Those with a status of 500 or more'),
  },
  { $id: 'StatusCaller', description: 'The requests of an organisation' },
);
export type StatusCaller = Static<typeof StatusCaller>;

const FailedRequest = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id that its error has, in `instance`' }),
    at: Instant('When it failed, by the clock of the server'),
    server: ServerName,
    method: Type.String(),
    route: Type.Optional(Type.String({ description: 'The route, without identifiers' })),
    status: Type.Integer({ minimum: 500, maximum: 599 }),
    organisation: Type.Optional(
      Type.String({ description: 'The organisation of the caller; absent without a valid token' }),
    ),
    reason: Type.String({ description: 'Why it failed; the log has the stack under the same id' }),
  },
  { $id: 'FailedRequest', description: 'A request that failed with a status of 500 or more' },
);
export type FailedRequest = Static<typeof FailedRequest>;

const Replica = Type.Object(
  {
    name: Type.String({ description: 'Its application_name' }),
    state: Type.Optional(Type.String({ description: 'Such as `streaming`' })),
    lagBytes: Type.Optional(Count('Bytes of the log that it has not applied')),
    lagSeconds: Type.Optional(Amount('Seconds that it is behind')),
  },
  {
    $id: 'Replica',
    description:
      "A replica of the database. Its state and lag are absent if the service's role may not read them (`pg_monitor`)",
  },
);
export type Replica = Static<typeof Replica>;

const AuditVerification = Type.Object(
  {
    at: Instant('When it ended'),
    records: Count('Verified records'),
    breaks: Count('Breaks that were found; 0: the trail is intact'),
    recordsOnly: Type.Boolean({
      description:
        'Whether what records refer to was left out (`--records-only`). It is kept only until a whole verification, and replaces one only if it has found the first breaks',
    }),
  },
  { $id: 'AuditVerification', description: 'The last verification of the audit trail' },
);
export type AuditVerification = Static<typeof AuditVerification>;

const Relay = Type.Object(
  {
    name: Type.Enum([...relayNames], {
      $id: 'RelayName',
      description:
        'What is relayed, as in `LANDFALL_RELAY`; what views show is relayed with `goods-items`',
    }),
    lag: Count(
      'Entries that are not relayed yet; of views, those that were not searched yet for the one that is furthest behind',
    ),
    position: Count(
      'Entries that are relayed: of goods items, the position of the last one; of views, that up to which all of them are relayed',
    ),
    behind: Type.Optional(
      Type.String({
        description: 'Of views: the organisation whose view is furthest behind; absent if none is',
      }),
    ),
    server: Type.Optional(ServerName),
  },
  { $id: 'RelayStatus', description: 'A relay to NATS' },
);
export type RelayStatus = Static<typeof Relay>;

/** The status of the service. */
export const ServiceStatus = Type.Object(
  {
    at: Instant('When it was read; the data is at most 5 seconds older'),
    server: ServerName,
    versions: Versions,
    problems: Type.Array(ServiceProblem, {
      description: 'What is wrong now, the worst first; empty if nothing is',
    }),
    pastProblems: Type.Array(ServiceProblem, {
      maxItems: MAX_PAST,
      description:
        'Those that were found from the figures of minutes and have ended, of the last day, the last one first',
    }),
    starts: Type.Array(ServerStart, {
      maxItems: MAX_PAST,
      description: 'The starts of servers of the last day, the last one first',
    }),
    servers: Type.Array(ServerStatus, { description: 'Servers of the last day, by name' }),
    series: StatusSeries,
    callers: Type.Array(StatusCaller, {
      maxItems: MAX_STATUS_CALLERS,
      description:
        'The organisations with the highest number of requests, and those with the highest number of refused ones. Each server counts 20 of each in a minute',
    }),
    failedRequests: Type.Array(FailedRequest, {
      maxItems: MAX_FAILED_REQUESTS,
      description:
        'The last failed requests of the requested hours, newest first. Each server keeps the last 30 with the status 500 and the last 10 others of each minute; those of other servers are here within a minute',
    }),
    replicas: Type.Array(Replica, { description: 'The connected replicas of the database' }),
    relays: Type.Array(Relay, {
      description: 'The relays to NATS that are configured; that of views once there is a view',
    }),
    auditVerification: Type.Optional(AuditVerification),
  },
  {
    $id: 'ServiceStatus',
    description:
      'The status of the service on all of its servers. `auditVerification` is absent if the trail was never verified',
  },
);
export type ServiceStatus = Static<typeof ServiceStatus>;
