// What `landfall status` can be asked for.
import type { IdentityOptions } from './identity-options.js';

/** The options of `landfall status`. */
export type StatusOptions = IdentityOptions & {
  limit?: number;
  marker?: string;
  status?: string;
  json?: true;
};
