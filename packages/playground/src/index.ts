// The public interface of @landfall/playground. Large parts are loaded on their first use.
import type { Examination, OfflineKnowledge } from './identity-provider/examine-offline.js';
import type { TrialProvider, TrialProviderOptions } from './trial-provider/options.js';

export type { Scenario, ScenarioKind } from '@landfall/contract';
export type { ClientOptions } from './client-options.js';
export type { ClockChange, ClockState } from './clock.js';
export {
  type ConnectedPlayground,
  type ConnectOptions,
  connectPlayground,
  PlaygroundControlError,
  type RemotePlayground,
  type RemoteSpace,
} from './connect-playground.js';
export type {
  DatasetPage,
  DatasetQuery,
  Presentable,
  PresentableGroup,
  PresentableHouseConsignment,
} from './dataset/dataset-query.js';
export type { HostedSpaceSummary, Hosting } from './hosting/hosting.js';
export { ACCESS_TOKEN_LIFETIME } from './identity-provider/access-token-lifetime.js';
export type { Examination, OfflineKnowledge } from './identity-provider/examine-offline.js';
export { adviceFor } from './identity-provider/token-advice.js';
export { PlaygroundOptionError } from './option-error.js';
export type { PlaygroundOptions } from './options.js';
export {
  type Playground,
  PlaygroundClosedError,
  type PlaygroundParts,
  type PlaygroundScenarios,
  type PlaygroundSpace,
  SpaceError,
  type SpaceErrorCode,
  UnknownIdentityError,
} from './playground.js';
export type { Exchange } from './recording/exchange.js';
export type { Expectation } from './recording/expectation.js';
export { VerificationError } from './recording/verify.js';
export type { ScenarioState } from './scenarios/scenario-state.js';
export { type Snapshot, SnapshotError, type SnapshotErrorCode } from './snapshots.js';
export { startPlayground } from './start-playground.js';
export type { TrialProvider, TrialProviderOptions } from './trial-provider/options.js';

/** Examines a grant or a token; loaded on its first use. See `identity-provider/examine-offline.ts`. */
export async function examineOffline(
  token: string,
  knowledge: OfflineKnowledge,
  now: Date,
): Promise<Examination> {
  const examining = await import('./identity-provider/examine-offline.js');
  return examining.examineOffline(token, knowledge, now);
}

/** Starts an identity provider for trials of production; loaded on its first use. */
export async function startTrialProvider(options: TrialProviderOptions): Promise<TrialProvider> {
  const starting = await import('./trial-provider/start-trial-provider.js');
  return starting.startTrialProvider(options);
}
