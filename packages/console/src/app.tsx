// The whole console: language, session, and the page of the address.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { FeedsProvider } from './feeds/feeds-context.js';
import { LanguageProvider, useMessages } from './language/language-context.js';
import { Frame } from './layout/frame.js';
import { Page } from './layout/page.js';
import { PageBoundary } from './layout/page-boundary.js';
import { maySee, pageList } from './layout/page-list.js';
import { pageNames } from './layout/page-names.js';
import { MadeSecretsProvider } from './made-secrets/made-secrets.js';
import { NotFoundPage } from './pages/not-found/not-found-page.js';
import { SignInDialog, SignInPage } from './pages/sign-in/sign-in-page.js';
import { pages } from './pages.js';
import { useLink } from './session/link.js';
import { callerOf } from './session/session.js';
import { SessionProvider, useSessionState } from './session/session-context.js';
import { useReturn } from './session/use-return.js';
import { ConnectionLost, Loading, Refused } from './states/states.js';
import { ZoneProvider } from './time/office-time.js';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client library repeats what may be repeated.
      retry: false,
      // A service on this machine is reachable while the browser is offline.
      networkMode: 'always',
    },
  },
});

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <LanguageProvider>
        <SessionProvider
          loading={<Loading />}
          failed={(retry) => <ConnectionLost onRetry={retry} />}
        >
          <ZoneProvider>
            <Router base="/console">
              <Content />
            </Router>
          </ZoneProvider>
        </SessionProvider>
      </LanguageProvider>
    </QueryClientProvider>
  );
}

function Content() {
  const { configuration, session, hasEnded } = useSessionState();
  useFailedReads();
  if (session === undefined) return <SignInPage />;
  return (
    // Another caller does not see what a page has.
    <Frame key={callerOf(session)}>
      <MadeSecretsProvider>
        <PageBoundary>
          <FeedsProvider>
            <Suspense fallback={<Loading />}>
              <Switch>
                {pageList.map((page) => (
                  <Route
                    key={page.name}
                    path={page.path}
                    {...(maySee(page, session, configuration)
                      ? { component: pages[page.name] }
                      : { children: <RefusedPage page={page} /> })}
                  />
                ))}
                {/* Bookmarks of the page that the requests had before. */}
                <Route path="/statuses">
                  <Redirect to="/requests" replace />
                </Route>
                <Route component={NotFoundPage} />
              </Switch>
            </Suspense>
          </FeedsProvider>
        </PageBoundary>
      </MadeSecretsProvider>
      {hasEnded && <SignInDialog />}
    </Frame>
  );
}

/** Reads again what could not be read while the connection was lost or the session had ended. */
function useFailedReads(): void {
  const { lostSince } = useLink();
  const { hasEnded } = useSessionState();
  useReturn(
    lostSince !== undefined || hasEnded,
    () =>
      void queries.refetchQueries({
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      }),
  );
}

/** A page that whoever has signed in may not see. */
function RefusedPage({ page: { name, scopes = [] } }: { page: (typeof pageList)[number] }) {
  const names = useMessages(pageNames);
  return (
    <Page title={names[name]}>
      <Refused scopes={scopes} />
    </Page>
  );
}
