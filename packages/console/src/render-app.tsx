// Shows the console in the page.
import '@digdir/designsystemet-theme';
import './design-system.css';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { preloadPage } from './pages.js';

preloadPage(location.pathname);
const element = document.getElementById('app');
if (element === null) throw new Error('the page has no element #app');
createRoot(element).render(<App />);

// Not before the first page.
requestAnimationFrame(() => setTimeout(() => import('./elements.js')));
