// The service worker of the console: its page opens again without a connection, which the gate needs. It keeps the files of
// one build, and nothing of the API. The build writes BUILD and FILES above (vite.config.js).
/* global BUILD, FILES */

const CACHE = `console-${BUILD}`;
const PAGE = '/console/';

/** How long the service may take to send the page while there is a copy of it, in milliseconds. */
const PAGE_TIMEOUT_MS = 3_000;

addEventListener('install', (event) => {
  event.waitUntil(install());
});

addEventListener('activate', (event) => {
  event.waitUntil(activate());
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(openPage(request));
  else if (FILES.includes(pathname)) event.respondWith(readFile(request));
});

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...FILES]);
  await skipWaiting();
}

/** Removes the files of other builds. */
async function activate() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith('console-') && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

/** The page from the service, which may be of a newer build; without connection, the copy. */
async function openPage(request) {
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  try {
    return await fetch(request, { signal });
  } catch (error) {
    const copy = await caches.match(PAGE, { cacheName: CACHE });
    if (copy === undefined) throw error;
    return copy;
  }
}

async function readFile(request) {
  const copy = await caches.match(request, { cacheName: CACHE });
  return copy ?? fetch(request);
}
