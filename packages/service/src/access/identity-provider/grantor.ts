// Who gives a grant: a registered domestic client, or a foreign business that is known by its eSeal.
import type { KeyObject } from 'node:crypto';

/** Who gives a grant, before the signature is verified with the key. */
export type Grantor = {
  kind: 'domestic' | 'foreign';
  clientId: string;
  /** As tokens name it. */
  organisation: string;
  key: KeyObject;
  /** What the client is registered with; `undefined`: whatever its organisation is granted. */
  registered: readonly string[] | undefined;
  granted: readonly string[];
  /** What the eSeal says of the foreign business. */
  seal?: { organizationName: string | undefined; countryName: string | undefined };
};
