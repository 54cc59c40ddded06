// Finds the tests: those compiled from packages/*/src and conformance/src, those in bench, scripts, site and deploy, and the
// small ones in faults.
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The test files whose path from the root contains one of the texts; all when there are no texts. The path of a source means
 * what is compiled from it.
 *
 * @param {readonly string[]} texts
 * @returns {string[]} absolute paths
 */
export function findTests(texts) {
  const packages = [
    ...readdirSync(join(root, 'packages')).map((name) => join('packages', name)),
    'conformance',
  ];
  const compiled = texts.map((text) => text.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
  const folders = ['bench', 'deploy', 'faults', 'scripts', 'site'];
  return [...packages.flatMap(compiledTests), ...folders.flatMap(testsBelow)]
    .filter((path) => texts.length === 0 || compiled.some((text) => path.includes(text)))
    .map((path) => join(root, path));
}

/**
 * The compiler does not remove the output of deleted sources; such files are not tests.
 *
 * @param {string} folder
 */
function compiledTests(folder) {
  return testsBelow(join(folder, 'dist')).filter((path) => {
    const source = path.replace(`${sep}dist${sep}`, `${sep}src${sep}`).replace(/\.js$/, '.ts');
    return existsSync(join(root, source));
  });
}

/** @param {string} folder */
function testsBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.test.js') && !path.includes('node_modules'))
    .sort()
    .map((path) => join(folder, path));
}
