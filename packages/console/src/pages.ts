// The code of each page, which is loaded on the first visit. A new page is a folder in `pages/`, its name and description
// in `layout/page-names.ts`, an entry in `layout/page-list.ts`, and one here.
import type { ComponentType } from 'react';
import { lazyPart } from './layout/lazy-part.js';
import { FailedPage } from './layout/page-boundary.js';
import { pageList } from './layout/page-list.js';
import type { PageName } from './layout/page-names.js';

type LoadPage = () => Promise<{ default: ComponentType }>;

/** How the code of each component is loaded. */
const loads = new Map<ComponentType, LoadPage>();

function lazy(load: LoadPage): ComponentType {
  const component = lazyPart(load, FailedPage);
  loads.set(component, load);
  return component;
}

export const pages: Record<PageName, ComponentType> = {
  home: lazy(async () => ({ default: (await import('./pages/home/home-page.js')).HomePage })),
  present: lazy(async () => ({
    default: (await import('./pages/present/present-page.js')).PresentPage,
  })),
  signals: lazy(async () => ({
    default: (await import('./pages/signals/signals-page.js')).SignalsPage,
  })),
  journeys: lazy(async () => ({
    default: (await import('./pages/journeys/journeys-page.js')).JourneysPage,
  })),
  journey: lazy(async () => ({
    default: (await import('./pages/journey/journey-page.js')).JourneyPage,
  })),
  lodge: lazy(async () => ({ default: (await import('./pages/lodge/lodge-page.js')).LodgePage })),
  gate: lazy(async () => ({ default: (await import('./pages/gate/gate-page.js')).GatePage })),
  arrivals: lazy(async () => ({
    default: (await import('./pages/arrivals/arrivals-page.js')).ArrivalsPage,
  })),
  transports: lazy(async () => ({
    default: (await import('./pages/transports/transports-page.js')).TransportsPage,
  })),
  message: lazy(async () => ({
    default: (await import('./pages/message/message-page.js')).MessagePage,
  })),
  stream: lazy(async () => ({
    default: (await import('./pages/stream/stream-page.js')).StreamPage,
  })),
  subscriptions: lazy(async () => ({
    default: (await import('./pages/subscriptions/subscriptions-page.js')).SubscriptionsPage,
  })),
  search: lazy(async () => ({
    default: (await import('./pages/search/search-page.js')).SearchPage,
  })),
  declaration: lazy(async () => ({
    default: (await import('./pages/declaration/declaration-page.js')).DeclarationPage,
  })),
  request: lazy(async () => ({
    default: (await import('./pages/request/request-page.js')).RequestPage,
  })),
  consignment: lazy(async () => ({
    default: (await import('./pages/consignment/consignment-page.js')).ConsignmentPage,
  })),
  organisations: lazy(async () => ({
    default: (await import('./pages/organisations/organisations-page.js')).OrganisationsPage,
  })),
  'goods-item-views': lazy(async () => ({
    default: (await import('./pages/goods-item-views/goods-item-views-page.js')).GoodsItemViewsPage,
  })),
  'reference-documents': lazy(async () => ({
    default: (await import('./pages/reference-documents/reference-documents-page.js'))
      .ReferenceDocumentsPage,
  })),
  profiles: lazy(async () => ({
    default: (await import('./pages/profiles/profiles-page.js')).ProfilesPage,
  })),
  decide: lazy(async () => ({
    default: (await import('./pages/decide/decide-page.js')).DecidePage,
  })),
  runs: lazy(async () => ({ default: (await import('./pages/runs/runs-page.js')).RunsPage })),
  space: lazy(async () => ({ default: (await import('./pages/space/space-page.js')).SpacePage })),
  dataset: lazy(async () => ({
    default: (await import('./pages/dataset/dataset-page.js')).DatasetPage,
  })),
  requests: lazy(async () => ({
    default: (await import('./pages/requests/requests-page.js')).RequestsPage,
  })),
  token: lazy(async () => ({ default: (await import('./pages/token/token-page.js')).TokenPage })),
  scenarios: lazy(async () => ({
    default: (await import('./pages/scenarios/scenarios-page.js')).ScenariosPage,
  })),
  clock: lazy(async () => ({ default: (await import('./pages/clock/clock-page.js')).ClockPage })),
  keys: lazy(async () => ({ default: (await import('./pages/keys/keys-page.js')).KeysPage })),
  operations: lazy(async () => ({
    default: (await import('./pages/operations/operations-page.js')).OperationsPage,
  })),
};

/**
 * Loads the code of the page at an address of the browser while the session is being read. One that fails is loaded
 * again when it is shown.
 *
 * @param pathname such as `/console/gate`
 */
export function preloadPage(pathname: string): void {
  const firstOf = (path: string) => path.split('/')[1];
  const first = firstOf(pathname.replace(/^\/console/, ''));
  const page = pageList.find(({ path }) => firstOf(path) === first);
  if (page !== undefined)
    loads
      .get(pages[page.name])?.()
      .catch(() => undefined);
}
