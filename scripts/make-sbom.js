// Writes what is delivered with the command and the service, and by which licences: a software bill of materials in CycloneDX
// (landfall-<version>.cdx.json), and a list for people (landfall-<version>-licences.txt). Fails if a licence is not in the list
// of those that an authority may use without asking. The console must be built, and `npm run tools` installed.
//
//   node scripts/make-sbom.js [folder]     default: the root of the repository
import './end-with-script.js';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { licencesOf, unknownLicences } from './licences.js';
import { toolPath } from './tool-path.js';

/** Packages of styles alone: the build of the console names those whose scripts it has taken. */
const STYLES = ['@digdir/designsystemet-css'];

const root = fileURLToPath(new URL('..', import.meta.url));
const readJson = async (path) => JSON.parse(await readFile(join(root, path), 'utf8'));
const target = resolve(process.argv[2] ?? root);
const { version } = await readJson('package.json');

const options = ['--omit', 'dev', '--spec-version', '1.6', '--output-reproducible'];
const { stdout } = await promisify(execFile)(toolPath('cyclonedx-npm'), options, {
  cwd: root,
  maxBuffer: 64 * 1024 * 1024,
});
const bill = JSON.parse(stdout);
const isNew = ({ purl }) => !bill.components.some((component) => component.purl === purl);
bill.components.push(...(await readPackagesOfPages()).filter(isNew));
const unknown = unknownLicences(bill.components);
for (const each of unknown) console.error(`${each}: not in the list of scripts/licences.js`);

await mkdir(target, { recursive: true });
const file = join(target, `landfall-${version}.cdx.json`);
await writeFile(file, `${JSON.stringify(bill, undefined, 2)}\n`);
const list = join(target, `landfall-${version}-licences.txt`);
const lines = bill.components.map((each) => {
  const name = [each.group, each.name].filter(Boolean).join('/');
  return `${name} ${each.version}: ${licencesOf(each)}\n`;
});
await writeFile(list, lines.sort().join(''));
console.log(`${file}: ${bill.components.length} packages`);
console.log(list);
process.exitCode = unknown.length === 0 ? 0 : 1;

/** Packages whose code is in the files of the console: nothing installs them where it is delivered. */
async function readPackagesOfPages() {
  const scripts = await readJson('packages/console/dist/site/licences.json');
  const styles = await Promise.all(
    STYLES.map(async (name) => {
      const { version, license } = await readJson(`node_modules/${name}/package.json`);
      return { name, version, identifier: license };
    }),
  );
  return [...scripts, ...styles].map(({ name, version, identifier }) => {
    const [last = '', group] = name.split('/').reverse();
    return {
      type: 'library',
      ...(group && { group }),
      name: last,
      version,
      licenses: [{ license: { id: identifier } }],
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    };
  });
}
