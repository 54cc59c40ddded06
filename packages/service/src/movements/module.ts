// What movement messages add to a service.
import { makeNewId } from '../new-id.js';
import type { ServiceContext } from '../service-context.js';
import { addArrivalRoutes } from './arrival-routes.js';
import { addAuthorityRoutes } from './authority-routes.js';
import { confirmDocuments } from './confirm-documents.js';
import { addLodgingRoutes, type LodgingContext } from './lodging-routes.js';
import { postTransportArrivals } from './post-transport-arrivals.js';
import { addQueryRoutes, type QueryContext } from './query-routes.js';
import { addReadingRoutes, addStatusRoutes } from './reading-routes.js';
import { addRelationRoutes } from './relation-routes.js';

/** What other modules provide. */
type Provided = Pick<
  LodgingContext,
  'findParties' | 'notePresented' | 'profiles' | 'sources' | 'turns'
> &
  Pick<QueryContext, 'signals'> &
  Required<Pick<LodgingContext, 'reached'>> & {
    /** An arrival may take seconds, in a session for large presentations: small changes do not wait for it. */
    arrivalTurns: LodgingContext['turns'];
  };

/** What registers, the authority and a playground do about movement messages, without a request. */
export type Movements = Awaited<ReturnType<typeof addMovements>>;

/** Adds them. */
export async function addMovements(
  { config, database, audit, http, feeds }: ServiceContext,
  provided: Provided,
) {
  addReadingRoutes(http, database);
  addStatusRoutes(http, feeds);
  const { signals } = provided;
  const expectedOnly = config.presenters === 'expected';
  addQueryRoutes(http, { ...feeds, database, expectedOnly, signals });
  const context = {
    ...provided,
    database,
    audit,
    watch: feeds.watch,
    country: config.country,
    newId: makeNewId(() => http.clock().getTime()),
    movedClock: http.movedClock,
    rules: { needsSecondOfficer: config.fourEyesRelease === 'on' },
    expectedOnly,
  };
  const lodgeMovement = await addLodgingRoutes(http, context);
  await addRelationRoutes(http, context);
  const { isCustomsOffice } = provided.sources;
  addArrivalRoutes(http, { ...context, turns: provided.arrivalTurns, isCustomsOffice });
  const arrivals = { ...context, isCustomsOffice };
  addAuthorityRoutes(http, arrivals);
  return {
    lodgeMovement,
    confirmDocuments: confirmDocuments.bind(undefined, context),
    postTransportArrivals: postTransportArrivals.bind(undefined, arrivals),
  };
}
