// What every response has unless its route says otherwise: caches do not keep it, and its type is not guessed.

export const DEFAULT_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
