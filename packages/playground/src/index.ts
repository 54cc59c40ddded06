// The public interface of @landfall/playground. Large parts are loaded on their first use.
import type { Examination, OfflineKnowledge } from './identity-provider/examine-offline.js';

export { ACCESS_TOKEN_LIFETIME } from './identity-provider/access-token-lifetime.js';
export type { Examination, OfflineKnowledge } from './identity-provider/examine-offline.js';
export type { Playground } from './serve-playground.js';
export { type PlaygroundOptions, startPlayground } from './start-playground.js';

/** Examines a grant or a token; loaded on its first use. See `identity-provider/examine-offline.ts`. */
export async function examineOffline(
  token: string,
  knowledge: OfflineKnowledge,
  now: Date,
): Promise<Examination> {
  const examining = await import('./identity-provider/examine-offline.js');
  return examining.examineOffline(token, knowledge, now);
}
