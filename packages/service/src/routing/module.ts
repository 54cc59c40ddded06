// What routing adds to a service: signals, decisions and profiles.
import type { FeedAccess } from '../feed/feed.js';
import type { ServiceContext } from '../service-context.js';
import { DecisionCommits } from './commit-decisions.js';
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
};

/** @param recordAccess records who has read signals */
export function addRouting(
  { config, database, audit, http, feeds }: ServiceContext,
  recordAccess: (access: FeedAccess) => void,
): Deciding {
  const profiles = new LiveProfiles();
  database.replacements.onOutdated(() => profiles.forget());
  const commits = new DecisionCommits(database, feeds.watch);
  addRoutingRoutes(http, { ...feeds, recordAccess, database });
  const { officerClients, enginesAboveOfficers, fourEyesRelease } = config;
  const contextOf = makeDecisionContexts(
    officerClients,
    enginesAboveOfficers === 'on',
    fourEyesRelease === 'on',
  );
  addDecisionRoutes(http, commits, contextOf);
  addProfileRoutes(http, { database, audit, profiles, commits, contextOf });
  return { commits, profiles, contextOf };
}
