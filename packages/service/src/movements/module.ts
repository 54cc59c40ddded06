// What movement messages add to a service.
import type { DocumentKey } from '@landfall/contract';
import { makeNewId } from '../new-id.js';
import type { ServiceContext } from '../service-context.js';
import { addArrivalRoutes } from './arrival-routes.js';
import { addAuthorityRoutes } from './authority-routes.js';
import { confirmDocuments } from './confirm-documents.js';
import { addLodgingRoutes, type LodgingContext } from './lodging-routes.js';
import { addQueryRoutes, type QueryContext } from './query-routes.js';
import { addReadingRoutes, addStatusRoutes } from './reading-routes.js';

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

/** What other programs of a service do about movement messages, beside what requests do. */
export type Movements = {
  /** Confirms documents for which messages wait, as a register does that did not answer. */
  confirmDocuments(documents: readonly DocumentKey[]): Promise<void>;
};

/** Adds them. */
export async function addMovements(
  { config, database, audit, http, feeds }: ServiceContext,
  provided: Provided,
): Promise<Movements> {
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
  await addLodgingRoutes(http, context);
  const { isCustomsOffice } = provided.sources;
  addArrivalRoutes(http, { ...context, turns: provided.arrivalTurns, isCustomsOffice });
  addAuthorityRoutes(http, { ...context, isCustomsOffice });
  return { confirmDocuments: (documents) => confirmDocuments(context, documents) };
}
