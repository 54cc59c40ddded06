// The effect of every kind of scenario.
import { decisionEffects } from './decision-effects.js';
import { deliveryEffects } from './delivery-effects.js';
import type { Effects } from './effect.js';
import { feedEffects } from './feed-effects.js';
import { movementEffects } from './movement-effects.js';
import { requestEffects } from './request-effects.js';
import { tokenEffects } from './token-effects.js';

export const effects: Effects = {
  ...requestEffects,
  ...feedEffects,
  ...decisionEffects,
  ...movementEffects,
  ...deliveryEffects,
  ...tokenEffects,
};
