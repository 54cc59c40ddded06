// Starts the console. This script and its styles are small, so the page shows at once that it starts; the rest is loaded at
// the same time, because the service names its files in the headers of the page (vite.config.js).
import './starting.css';

/** How soon the page is loaded again if its scripts could not be loaded, in milliseconds. */
const RELOAD_AFTER_MS = 3_000;

import('./render-app.js').catch(() => {
  // While servers are upgraded, one of them may have the page and another one not yet its scripts.
  const starting = document.querySelector('.starting');
  const isNorwegian = /^(?:nb|nn|no)\b/.test(navigator.language);
  if (starting !== null) {
    starting.textContent = isNorwegian
      ? 'Landfall kunne ikke lastes. Prøver igjen …'
      : 'Landfall could not be loaded. Trying again …';
  }
  setTimeout(() => location.reload(), RELOAD_AFTER_MS);
});

// The first formatter of a process takes 20 ms, because Chromium reads its tables: while the scripts are being loaded, and
// not when the first time is shown.
new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format();
