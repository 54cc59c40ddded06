// What presentation adds to a service.
import type { ServiceContext } from '../service-context.js';
import { makePresentConsignment } from './present-consignment.js';
import { addPresentationRoutes, type PresentationContext } from './routes.js';

export function addPresentation(
  { database, config, http, feeds }: ServiceContext,
  checks: Pick<PresentationContext, 'isCustomsOffice' | 'checkPresentation'>,
): void {
  const presentConsignment = makePresentConsignment(
    database,
    feeds.watch,
    config.presenters,
    http.movedClock,
  );
  addPresentationRoutes(http, { ...feeds, ...checks, presentConsignment });
}
