// Starts the console in the page.
import '@digdir/designsystemet-theme';
import '@digdir/designsystemet-css';
import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { preloadPage } from './pages.js';

preloadPage(location.pathname);
const element = document.getElementById('app');
if (element === null) throw new Error('the page has no element #app');
createRoot(element).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
