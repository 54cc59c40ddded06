// What presentation adds to a service.
import type { ServiceContext } from '../service-context.js';
import type { NotePresented } from './commit-presentations.js';
import { makePresentConsignment } from './present-consignment.js';
import { ReachedGoods } from './present-reached.js';
import { addPresentationRoutes, type PresentationContext } from './routes.js';

/** @returns presents what transports that have arrived reach */
export function addPresentation(
  { database, config, http, feeds, jobs }: ServiceContext,
  checks: Pick<PresentationContext, 'isCustomsOffice' | 'checkPresentation'>,
  notePresented: NotePresented,
): ReachedGoods {
  const presentConsignment = makePresentConsignment(
    database,
    feeds.watch,
    config.presenters,
    http.movedClock,
    notePresented,
  );
  addPresentationRoutes(http, { ...feeds, ...checks, presentConsignment });
  return jobs.add('arrived-goods', {
    sentence:
      'goods that a transport which has arrived reaches were not presented; the next attempt follows within a minute',
    work: (report) =>
      new ReachedGoods(
        {
          database,
          watch: feeds.watch,
          expectedOnly: config.presenters === 'expected',
          movedClock: http.movedClock,
          notePresented,
        },
        report,
      ),
    start: (reached) => reached.start(),
    catchUp: (reached) => reached.catchUp(),
    endsFirst: true,
    close: (reached) => reached.close(),
  });
}
