// What retention adds to a service.
import type { ServiceContext } from '../service-context.js';
import { retainedKinds } from './retained-kinds.js';
import { type RetainedKind, Retention } from './retention.js';

/**
 * @param expireGoodsItems removes goods-item messages
 * @param findSignalStreams gives the JetStream streams that must have a signal before it is removed
 */
export function addRetention(
  { database, config, audit, http, jobs, measures, retentionClock }: ServiceContext,
  expireGoodsItems: RetainedKind['expire'],
  findSignalStreams: () => Promise<readonly string[]>,
): void {
  const context = { database, audit, clock: http.clock, movedClock: http.movedClock };
  const kinds = retainedKinds(config, context, expireGoodsItems, findSignalStreams);
  const retention = jobs.add('retention', {
    sentence: 'what is older than it is kept could not be removed; the next run removes it',
    work: (report) =>
      new Retention(database, kinds, retentionClock, report, (fields, message) =>
        http.app.log.warn(fields, message),
      ),
    start: (removal) => removal.start(),
    catchUp: (removal) => removal.run(),
    endsFirst: true,
    close: (removal) => removal.close(),
  });
  measures.push(...retention.measures);
}
