// What routing adds to a service: signals, decisions and profiles.
import type { FeedAccess } from '../feed/feed.js';
import type { ServiceContext } from '../service-context.js';
import { DecisionCommits } from './commit-decisions.js';
import { type DecideByDefault, PresentedGoods } from './decide-presented.js';
import { type MakeDecisionContext, makeDecisionContexts } from './decision-context.js';
import { addDecisionRoutes } from './decision-routes.js';
import { addProfileRoutes } from './profile-routes.js';
import { LiveProfiles } from './profiles.js';
import { addRoutingRoutes } from './routes.js';

/** What others decide with. */
export type Deciding = {
  commits: DecisionCommits;
  profiles: LiveProfiles;
  contextOf: MakeDecisionContext;
  /** Is called with lodged goods that were presented undecided; resolves when what can be decided now is. */
  notePresented: (houses: readonly string[]) => Promise<void>;
};

/**
 * @param recordAccess records who has read signals
 * @param decideByDefault decides lodged goods that are presented, if no profile does
 */
export function addRouting(
  { config, database, audit, http, feeds, jobs }: ServiceContext,
  recordAccess: (access: FeedAccess) => void,
  decideByDefault: DecideByDefault | undefined,
): Deciding {
  const profiles = new LiveProfiles();
  database.replacements.onOutdated(() => profiles.forget());
  const commits = new DecisionCommits(database, feeds.watch, config.presenters === 'expected');
  addRoutingRoutes(http, { ...feeds, recordAccess, database });
  const { officerClients, enginesAboveOfficers, fourEyesRelease } = config;
  const contextOf = makeDecisionContexts(
    officerClients,
    enginesAboveOfficers === 'on',
    fourEyesRelease === 'on',
  );
  addDecisionRoutes(http, commits, contextOf, config.routingResults);
  addProfileRoutes(http, { database, audit, profiles, commits, contextOf });
  const { movedClock } = http;
  const extendedResults = config.routingResults === 'extended';
  const presented = jobs.add('presented-goods', {
    sentence:
      'lodged goods that were presented were not decided by the routing profile; the next attempt follows within a minute',
    work: (report) =>
      new PresentedGoods(
        { database, profiles, commits, movedClock, extendedResults, decideByDefault },
        report,
      ),
    start: (goods) => goods.start(),
    catchUp: (goods) => goods.catchUp(),
    endsFirst: true,
    close: (goods) => goods.close(),
  });
  return { commits, profiles, contextOf, notePresented: (houses) => presented.add(houses) };
}
