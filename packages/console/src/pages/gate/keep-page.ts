// Lets the console open without a connection.

/** Registers the service worker. A browser may refuse it, as in a private window: then the page needs a connection. */
export function keepPage(): void {
  navigator.serviceWorker
    ?.register('/console/service-worker.js', { scope: '/console/' })
    .catch(() => undefined);
}
