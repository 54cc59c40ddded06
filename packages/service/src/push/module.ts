// What push adds to a service: subscriptions, and the work that sends to them.
import type { FeedAccess } from '../feed/feed.js';
import type { ServiceContext } from '../service-context.js';
import { ReceiverConnections } from './post-to-receiver.js';
import { PushJob } from './push-job.js';
import type { FindRestriction } from './read-entries.js';
import { makeResolveName, type ResolveName } from './resolve-receiver.js';
import { addPushRoutes } from './routes.js';
import type { SendDelivery } from './send-to-receiver.js';

/** What a playground or a test does otherwise. */
export type PushReplacements = {
  /** Asks for the addresses of the receivers of subscriptions; default: the name servers of the system. */
  resolveName?: ResolveName | undefined;
  /** Sends deliveries of entries; default: each attempt as it is. */
  sendDelivery?: SendDelivery | undefined;
};

/**
 * @param recordAccess records who has got signals
 * @param findRestriction what an organisation sees of a feed
 * @param replacements default: the name servers of the system, and each delivery is sent as it is
 */
export function addPush(
  { config, database, audit, http, feeds, jobs, measures }: ServiceContext,
  recordAccess: (access: FeedAccess) => void,
  findRestriction: FindRestriction,
  {
    resolveName = makeResolveName(),
    sendDelivery = (_delivery, send) => send(),
  }: PushReplacements = {},
): void {
  const { pushReceivers: receivers } = config;
  const { views, watch } = feeds;
  const { clock } = http;
  const { log } = http.app;
  const connections = new ReceiverConnections(receivers, resolveName);
  const parts = {
    database,
    audit,
    views,
    findRestriction,
    watch,
    connections,
    sendDelivery,
    recordAccess,
    clock,
    log,
  };
  const job = jobs.add('push', {
    sentence: 'subscriptions could not be sent to; what failed is tried again',
    work: (report) => new PushJob(parts, report),
    start: (push) => push.start(),
    endsFirst: true,
    close: (push) => push.close(),
  });
  measures.push(...job.measures);
  addPushRoutes(http, {
    database,
    audit,
    receivers,
    wake: (feed) => job.wake(feed),
    sendBeside: (...sending) => job.sendBeside(...sending),
  });
}
