// Where this platform keeps the configuration and caches of a user.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The platform and environment that decide. */
export type Platform = { platform: NodeJS.Platform; environment: NodeJS.ProcessEnv; home: string };

function here(): Platform {
  return { platform: process.platform, environment: process.env, home: homedir() };
}

/** The configuration file. */
export function configFile({ platform, environment, home }: Platform = here()): string {
  const folder =
    environment.XDG_CONFIG_HOME ||
    (platform === 'win32'
      ? environment.APPDATA || join(home, 'AppData', 'Roaming')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : join(home, '.config'));
  return join(folder, 'landfall', 'config.json');
}

/** The folder of cached tokens. */
export function tokenCache({ platform, environment, home }: Platform = here()): string {
  const folder =
    environment.XDG_CACHE_HOME ||
    (platform === 'win32'
      ? environment.LOCALAPPDATA || join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Caches')
        : join(home, '.cache'));
  return join(folder, 'landfall', 'tokens');
}
