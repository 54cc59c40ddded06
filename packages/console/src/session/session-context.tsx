// The session, for every page: who has signed in, and the client that acts for them.
import { Landfall } from '@landfall/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type DraftStorage, Drafts, deleteDrafts, tabStorage } from './drafts.js';
import { link, MAX_ATTEMPTS, useLink } from './link.js';
import {
  deleteOfflineCopy,
  keepOfflineCopy,
  keepOnlyCopyOf,
  type OfflineCopy,
  readOfflineCopy,
} from './offline-copy.js';
import { tellOtherTabs, useOtherTabs } from './other-tabs.js';
import {
  type Configuration,
  CSRF_HEADER,
  callerOf,
  chooseAssignment,
  endSession,
  type RoleAssignment,
  readConfiguration,
  readSession,
  type Session,
} from './session.js';

/** How often the session is read again while the service cannot be reached, in milliseconds. */
const RETRY_INTERVAL_MS = 3_000;

type SessionState = {
  configuration: Configuration;
  /** Who has signed in, even if the session has ended meanwhile; `undefined` before. */
  session: Session | undefined;
  /** What they have typed into forms; `undefined` before somebody has signed in. */
  drafts: Drafts | undefined;
  /** What the session and the data are from, if the service could not be reached since the page was loaded. */
  copy: OfflineCopy | undefined;
  /** Keeps what is known for a reload without connection; the most useful first, of which one is kept that fits. */
  keepCopy(known: readonly unknown[]): void;
  /** The service refused a request because the session has ended, or somebody else has signed in. */
  hasEnded: boolean;
  /** Who has signed in instead in another tab of the browser. */
  replacedBy: string | undefined;
  /** Reads the session again, after somebody has signed in. */
  signedIn(): Promise<void>;
  /** Acts as something else from now on. Throws if the service refuses that, or cannot be reached. */
  choose(assignment: RoleAssignment): Promise<void>;
  signOut(): Promise<void>;
  /** Finds out whether the session of a request has ended, after the service refused it with 401 or 403. */
  checkSession(csrfToken: string, status: number): Promise<void>;
};

const Context = createContext<SessionState | undefined>(undefined);

/** What is read before anything is shown. */
type Start = {
  configuration: Configuration;
  session: Session | undefined;
  copy?: OfflineCopy;
};

const QUERY_KEY = ['session'];

/** Provides the session to everything within; until it was read, shows something else. */
export function SessionProvider({
  loading,
  failed,
  children,
}: {
  loading: ReactNode;
  failed: (retry: () => void) => ReactNode;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  const [hasEnded, setHasEnded] = useState(false);
  const [replacedBy, setReplacedBy] = useState<string>();
  const start = useQuery({
    queryKey: QUERY_KEY,
    queryFn: readStart,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { status, data } }) =>
      status === 'error' || data?.copy !== undefined ? RETRY_INTERVAL_MS : false,
  });
  const { lostSince } = useLink();
  const isCopy = start.data?.copy !== undefined;
  const { refetch } = start;
  useEffect(() => {
    if (isCopy && lostSince === undefined) void refetch();
  }, [isCopy, lostSince, refetch]);
  const hasLeft = useRef(false);
  const end = useCallback((by?: string) => {
    deleteOfflineCopy(tabStorage());
    setReplacedBy(by);
    setHasEnded(true);
  }, []);
  const forgetOthers = useCallback(
    () => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY_KEY[0] }),
    [queries],
  );
  /** Compares the session of the browser, which another tab may have changed, with that of this page. */
  const compareSession = useCallback(async () => {
    const shown = queries.getQueryData<Start>(QUERY_KEY);
    // Another tab has opened another space: this page is one of a service that it has left.
    if (shown?.configuration.space !== undefined) {
      const { space } = await readConfiguration();
      if (space !== shown.configuration.space) return location.reload();
    }
    const current = await readSession();
    if (shown?.session === undefined || shown.session.csrfToken === current?.csrfToken) return;
    if (current === undefined) end();
    // The page stays as it is, with what was typed, until somebody says who goes on with it.
    else if (current.subject !== shown.session.subject) end(current.name);
    else {
      // The same person acts as something else. What was typed is kept.
      if (callerOf(current) !== callerOf(shown.session)) forgetOthers();
      queries.setQueryData<Start>(QUERY_KEY, {
        configuration: shown.configuration,
        session: current,
      });
      setHasEnded(false);
    }
  }, [queries, end, forgetOthers]);
  useOtherTabs(compareSession);
  const checkSession = useCallback(
    async (csrfToken: string, status: number) => {
      if (queries.getQueryData<Start>(QUERY_KEY)?.session?.csrfToken !== csrfToken) return;
      try {
        await compareSession();
      } catch {
        if (status === 401) end();
      }
    },
    [queries, compareSession, end],
  );
  const { subject, organisation } = start.data?.session ?? {};
  const drafts = useMemo(
    () =>
      subject === undefined || organisation === undefined
        ? undefined
        : new Drafts(tabStorage(), subject, organisation),
    [subject, organisation],
  );
  const { csrfToken } = start.data?.session ?? {};
  useEffect(() => {
    if (csrfToken !== undefined) tellOtherTabs();
  }, [csrfToken]);
  if (start.isPending) return loading;
  if (start.isError) return failed(() => void start.refetch());
  const { configuration, session, copy } = start.data;
  const readAgain = async () => {
    const { data } = await start.refetch();
    // Another caller does not see what was read before.
    if (session !== undefined && callerOf(session) !== (data?.session && callerOf(data.session))) {
      forgetOthers();
    }
    setReplacedBy(undefined);
    setHasEnded(false);
  };
  const state: SessionState = {
    configuration,
    session,
    drafts,
    hasEnded,
    replacedBy,
    copy,
    keepCopy: (known) => {
      if (session === undefined || hasEnded || hasLeft.current) return;
      const at = (lostSince ?? new Date()).toISOString();
      keepOfflineCopy(tabStorage(), { at, configuration, session, known });
    },
    checkSession,
    signedIn: readAgain,
    choose: async (assignment) => {
      if (session === undefined) return;
      await chooseAssignment(session, assignment);
      await readAgain();
    },
    signOut: async () => {
      const address = session === undefined ? '/console/' : await endSession(session);
      queries.clear();
      deleteDrafts(tabStorage());
      hasLeft.current = true;
      tellOtherTabs();
      deleteOfflineCopy(tabStorage());
      // Forgets what the pages have in memory of the organisation.
      location.assign(address);
    },
  };
  return <Context value={state}>{children}</Context>;
}

/** Reads the session; where the service cannot be reached, from what the tab has kept. */
async function readStart(): Promise<Start> {
  try {
    const [configuration, session] = await Promise.all([readConfiguration(), readSession()]);
    forgetOtherSpaces(tabStorage(), configuration.space);
    keepOnlyCopyOf(tabStorage(), session, new Date());
    return { configuration, session };
  } catch (error) {
    const copy = error instanceof TypeError ? readOfflineCopy(tabStorage(), new Date()) : undefined;
    if (copy === undefined) throw error;
    link.lost(new Date(copy.at));
    return { configuration: copy.configuration, session: copy.session, copy };
  }
}

const SPACE_KEY = 'landfall-space';

/** Deletes what the tab keeps of another space, whose identities have the same names. */
function forgetOtherSpaces(storage: DraftStorage | undefined, space = ''): void {
  if ((storage?.getItem(SPACE_KEY) ?? '') === space) return;
  deleteDrafts(storage);
  deleteOfflineCopy(storage);
  storage?.setItem(SPACE_KEY, space);
}

/** The state of the session. */
export function useSessionState(): SessionState {
  const state = useContext(Context);
  if (state === undefined) throw new Error('there is no SessionProvider');
  return state;
}

/** Whoever has signed in: for pages, which are shown only then. */
export function useSession(): Session {
  const { session } = useSessionState();
  if (session === undefined) throw new Error('nobody has signed in');
  return session;
}

/**
 * A client of the operations that acts for whoever has signed in.
 *
 * @param fetch sends the requests; default: the watched `fetch` of the page
 */
export function useLandfall(fetch: typeof globalThis.fetch = link.fetch): Landfall {
  const { checkSession } = useSessionState();
  const { csrfToken } = useSession();
  return useMemo(
    () =>
      new Landfall({
        baseUrl: `${location.origin}/console/api`,
        tokens: 'cookie',
        retry: { maxAttempts: MAX_ATTEMPTS },
        fetch: async (address, init) => {
          const headers = new Headers(init?.headers);
          // A session from a copy has none, and needs none to read.
          if (csrfToken !== '') headers.set(CSRF_HEADER, csrfToken);
          const response = await fetch(address, { ...init, headers });
          if (response.status === 401 || response.status === 403) {
            void checkSession(csrfToken, response.status);
          }
          return response;
        },
      }),
    [csrfToken, fetch],
  );
}
