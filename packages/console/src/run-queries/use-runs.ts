// Runs as several pages read them: those that are not finished, and those that wait for the officer who has signed in.
import type { Landfall, RoutingRun, RoutingRunState } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { usePollInterval } from '../session/presence.js';
import { useLandfall, useSession, useSessionState } from '../session/session-context.js';

/** The first part of the key of every query of runs: all are read again after one was changed. */
export const RUNS_KEY = 'runs';

/** How often runs are read again that somebody else may change, in milliseconds. */
export const POLL_INTERVAL_MS = 10_000;

/** How often it is read how many runs wait for an officer, in milliseconds: on every page, so not often. */
const WAITING_INTERVAL_MS = 30_000;

/** How many runs of one state are read, the newest first. */
export const MAX_OF_STATE = 100;

/** The states of runs that are not finished, in the order in which somebody should look at them. */
const UNFINISHED: readonly RoutingRunState[] = ['PROPOSED', 'PAUSED', 'RUNNING'];

/** Runs, and whether there are more of them. */
export type SomeRuns = { runs: readonly RoutingRun[]; isMore: boolean };

async function readState(
  landfall: Landfall,
  state: RoutingRunState,
  signal: AbortSignal,
): Promise<SomeRuns> {
  const query = { state, newestFirst: true, limit: MAX_OF_STATE };
  const { entries, next } = await landfall.listRoutingRuns(query, { signal });
  return { runs: entries, isMore: next !== undefined };
}

/** Runs that are neither completed nor given up. */
export function useUnfinishedRuns(): SomeRuns | undefined {
  const landfall = useLandfall();
  const { data } = useQuery({
    queryKey: [RUNS_KEY, 'unfinished'],
    queryFn: async ({ signal }): Promise<SomeRuns> => {
      const found = await Promise.all(
        UNFINISHED.map((state) => readState(landfall, state, signal)),
      );
      return {
        runs: found.flatMap(({ runs }) => runs),
        isMore: found.some(({ isMore }) => isMore),
      };
    },
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  return data;
}

/** How many runs wait for whoever has signed in to confirm them. */
export type WaitingRuns = { count: number; isMore: boolean };

/** Nobody is told of what they have proposed: another one has to confirm it. */
export function useWaitingRuns(): WaitingRuns {
  const { scopes, subject } = useSession();
  const { hasEnded } = useSessionState();
  const landfall = useLandfall();
  const { data } = useQuery({
    queryKey: [RUNS_KEY, 'waiting'],
    queryFn: ({ signal }) => readState(landfall, 'PROPOSED', signal),
    enabled: scopes.includes('authority/routing') && !hasEnded,
    refetchInterval: usePollInterval(WAITING_INTERVAL_MS),
  });
  const { runs = [], isMore = false } = data ?? {};
  return { count: runs.filter(({ client }) => client !== subject).length, isMore };
}

/** How many of the house consignments of a run have a result. */
export function settledOf({ houseConsignments, pending }: RoutingRun): number {
  return houseConsignments - pending;
}

/**
 * How many have a result, how many there are, and how many of those with a result were left as they are: somebody else
 * had decided, or the decision was refused.
 */
export function progressOf(run: RoutingRun): [done: number, all: number, left: number] {
  return [settledOf(run), run.houseConsignments, run.conflicts + run.refused];
}
