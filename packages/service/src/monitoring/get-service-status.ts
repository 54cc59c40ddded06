// The status of the service: what is wrong now, and the figures of all servers.
import {
  type FailedRequest,
  MAX_FAILED_REQUESTS,
  MAX_PAST,
  MAX_STATUS_CALLERS,
  MAX_STATUS_HOURS,
  type RelayStatus,
  type Replica,
  relayNames,
  relays,
  runbookAddress,
  type ServerStatus,
  type ServiceProblem,
  type ServiceStatus,
  type Versions,
} from '@landfall/contract';
import { readLastVerification, readTrailBegin } from '../audit/last-verification.js';
import type { Database } from '../database/database.js';
import type { FailedRequests } from '../metrics/failed-requests.js';
import type { Relays } from '../relay/relays.js';
import { CALLER_MINUTES, findPastProblems, findProblems } from './find-problems.js';
import {
  type LastFigures,
  type ReplicaRow,
  selectCallers,
  selectFailedRequests,
  selectMinutes,
  selectReplicas,
  selectServers,
  selectStarts,
} from './queries.js';
import { stateOf } from './server-state.js';
import { summariseMinutes } from './summarise-minutes.js';

const HOUR = 3_600_000;

/** What this server can say of itself. */
export type StatusContext = {
  database: Database;
  /** Host name and port of this server. */
  name: () => string;
  readVersions: () => Promise<Versions>;
  relays: Pick<Relays, 'readProgress' | 'findStreams'>;
  /** The address of the documents, to which problems refer by their paths; empty: the paths alone. */
  documentationUrl: string;
  /** Those of this server that are in no row yet. */
  failedRequests: FailedRequests;
  /** The conditions of this server; default: none is known. */
  conditions?: { readonly states: readonly { task: string; since: Date | undefined }[] };
};

/**
 * The status at a time without failed requests, with the series and the callers of the last hours. It takes a query of the rows of a day for
 * each, so responses should be shared for some seconds.
 */
export async function getServiceStatus(
  { database, name, readVersions, relays: source, documentationUrl, conditions }: StatusContext,
  hours: number,
  at: Date,
): Promise<Omit<ServiceStatus, 'failedRequests'>> {
  const now = at.getTime();
  const before = (milliseconds: number) => new Date(now - milliseconds);
  const [
    minutes,
    servers,
    starts,
    callers,
    recentCallers,
    replicas,
    verification,
    trailSince,
    relayed,
    versions,
  ] = await Promise.all([
    database.query(selectMinutes(before(MAX_STATUS_HOURS * HOUR))),
    database.query(selectServers(before(MAX_STATUS_HOURS * HOUR))),
    database.query(selectStarts(before(MAX_STATUS_HOURS * HOUR), MAX_PAST)),
    database.query(selectCallers(before(hours * HOUR), MAX_STATUS_CALLERS / 2)),
    database.query(selectCallers(before(CALLER_MINUTES * 60_000), MAX_STATUS_CALLERS / 2)),
    database.kind === 'embedded' ? [] : database.query(selectReplicas),
    readLastVerification(database),
    readTrailBegin(database),
    Promise.all(
      relayNames.map(async (name) => ({
        name,
        progress: await source.readProgress(name),
        streams: await source.findStreams(name),
      })),
    ),
    readVersions(),
  ]);
  const describeRelay = ({ name, progress }: (typeof relayed)[number]): RelayStatus[] => {
    if (progress === undefined) return [];
    const relaying = servers.find(
      (server) =>
        server.figures[relays[name].relaying] === 1 && stateOf(server, now) === 'REPORTING',
    );
    const { relayed: position, lag, behind } = progress;
    return [
      {
        name,
        lag,
        position,
        ...(behind !== undefined && { behind }),
        ...(relaying && { server: relaying.server }),
      },
    ];
  };
  const addressed = (problem: ServiceProblem): ServiceProblem => ({
    ...problem,
    runbook: runbookAddress(problem.code, documentationUrl),
  });
  return {
    at: at.toISOString(),
    server: name(),
    versions,
    problems: findProblems({
      now,
      minutes,
      servers,
      recentCallers,
      verification,
      trailSince,
      relayed,
      viewBehind: relayed.find(({ name }) => name === 'goods-item-views')?.progress?.behind,
      conditions: (conditions?.states ?? []).flatMap(({ task, since }) =>
        since === undefined ? [] : [{ task, since }],
      ),
    }).map(addressed),
    pastProblems: findPastProblems(minutes, now).map(addressed),
    starts: starts.map((start) => ({ ...start, at: start.at.toISOString() })),
    servers: servers.map((server) => describeServer(server, now)),
    series: summariseMinutes(minutes, hours, now),
    callers,
    replicas: replicas.map(describeReplica),
    relays: relayed.flatMap(describeRelay),
    ...(verification && { auditVerification: verification }),
  };
}

/**
 * The last failed requests of all servers in the last hours, newest first: those of the rows, and those of this server that
 * are in none yet.
 *
 * @param id only the one with this id
 */
export async function listFailedRequests(
  { database, name, failedRequests }: StatusContext,
  hours: number,
  at: Date,
  id: string | undefined,
): Promise<FailedRequest[]> {
  const after = new Date(at.getTime() - hours * HOUR);
  const own = failedRequests
    .list()
    .filter((one) => id === undefined || one.id === id)
    .map((one) => ({ ...one, server: name() }));
  const rows = await database.query(selectFailedRequests(after, MAX_FAILED_REQUESTS, id));
  const written = rows.map(({ route, organisation, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    ...(route !== null && { route }),
    ...(organisation !== null && { organisation }),
  }));
  // One that was written meanwhile is in both.
  const byId = new Map([...own, ...written].map((one) => [one.id, one]));
  return [...byId.values()]
    .sort((one, other) => (one.at > other.at ? -1 : one.at < other.at ? 1 : 0))
    .slice(0, MAX_FAILED_REQUESTS);
}

function describeServer(server: LastFigures, now: number): ServerStatus {
  const { figures, version, startedAt, at } = server;
  return {
    name: server.server,
    version,
    state: stateOf(server, now),
    startedAt: startedAt.toISOString(),
    reportedAt: at.toISOString(),
    requestsPerSecond: figures.requests / figures.seconds,
    processorShare: figures.processorShare,
    memoryBytes: figures.memoryBytes,
    queued: figures.queued,
  };
}

function describeReplica({ name, state, lagBytes, lagSeconds }: ReplicaRow): Replica {
  return {
    name: name ?? '',
    ...(state !== null && { state }),
    ...(lagBytes !== null && { lagBytes }),
    ...(lagSeconds !== null && { lagSeconds }),
  };
}
