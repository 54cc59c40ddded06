// The configuration and the cache are in the usual folders of each platform.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { configFile, type Platform, tokenCache } from './folders.js';

const home = join('/home', 'ada');

it('each platform has its own folders, and XDG variables replace them', () => {
  const places = (platform: Platform['platform'], environment: Platform['environment']) => [
    configFile({ platform, environment, home }),
    tokenCache({ platform, environment, home }),
  ];
  assert.deepEqual(places('linux', {}), [
    join(home, '.config', 'landfall', 'config.json'),
    join(home, '.cache', 'landfall', 'tokens'),
  ]);
  assert.deepEqual(places('darwin', {}), [
    join(home, 'Library', 'Application Support', 'landfall', 'config.json'),
    join(home, 'Library', 'Caches', 'landfall', 'tokens'),
  ]);
  assert.deepEqual(places('win32', { APPDATA: 'roaming', LOCALAPPDATA: 'local' }), [
    join('roaming', 'landfall', 'config.json'),
    join('local', 'landfall', 'tokens'),
  ]);
  assert.deepEqual(places('linux', { XDG_CONFIG_HOME: 'c', XDG_CACHE_HOME: 'k' }), [
    join('c', 'landfall', 'config.json'),
    join('k', 'landfall', 'tokens'),
  ]);
});
