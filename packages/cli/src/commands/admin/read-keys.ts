// The signing keys of this machine, for the state of an installation.
import { options as configuration } from '@landfall/service/config';
import { CommandFailedError, codeOf } from '../../process/exit.js';
import { explainKeysFailure, keyPurposes, listPurpose } from './keys/keys-folder.js';
import type { PurposeKey } from './keys/show-keys.js';

/** The keys in the folder of LANDFALL_KEYS, or why they cannot be read. Without the variable there are none here. */
export type InstallationKeys = { keys: readonly PurposeKey[]; failure?: string };

/** Reads the signing keys of the configured folder. */
export async function readKeys(now: Date): Promise<InstallationKeys | undefined> {
  const folder = process.env[configuration.keysFolder.variable];
  if (!folder) return undefined;
  const keys: PurposeKey[] = [];
  for (const purpose of keyPurposes) {
    try {
      keys.push(...(await listPurpose(folder, purpose, now)));
    } catch (error) {
      // A server with an external identity provider has no identity provider keys.
      if (purpose !== 'customs-token' && codeOf(error) === 'ENOENT') continue;
      const explained = explainKeysFailure(error, folder, purpose);
      if (!(explained instanceof CommandFailedError)) throw explained;
      return { keys, failure: explained.message };
    }
  }
  return { keys };
}
