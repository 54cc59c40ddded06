// Reads the status of one request, at once or when it is there.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller.js';
import { requestedWait } from '../http/preferences.js';
import type { FeedKind } from './feed.js';
import type { FeedView } from './feed-views.js';
import { type FeedContext, readWhenGrown } from './serve-feed.js';

/** How often a status that is not to be found yet is looked for, in milliseconds: no feed grows when it is. */
const LATE_REREAD_MS = 200;

/** A recorded request: its status as the JSON text that is sent; `undefined` if it was about something else. */
export type FoundStatus = { status: string | undefined };

/** The status of a request of the caller, as soon as there is one, or when the wait that the request prefers is over. */
export async function readStatus(
  context: FeedContext,
  { caller, request, reply }: { caller: Caller; request: FastifyRequest; reply: FastifyReply },
  kind: FeedKind,
  find: (view: FeedView) => Promise<FoundStatus | undefined>,
): Promise<string | undefined> {
  const isLate = context.findLateStatuses?.();
  const wait = requestedWait(request);
  const feed = { kind, owner: caller.organisationId };
  const found = await readWhenGrown(context, request, caller, {
    feed,
    wait,
    readNow: async () => {
      const recorded = await find(await context.views.take(feed));
      if (recorded?.status === undefined || isLate === undefined) return recorded;
      return isLate(timeOf(recorded.status)) ? undefined : recorded;
    },
    isThere: (recorded) => recorded !== undefined,
    ...(isLate && { rereadMs: LATE_REREAD_MS }),
  });
  if (found?.status !== undefined && wait > 0) reply.header('Preference-Applied', `wait=${wait}`);
  return found?.status;
}

function timeOf(status: string): Date {
  const { notificationDate }: { notificationDate: string } = JSON.parse(status);
  return new Date(notificationDate);
}
