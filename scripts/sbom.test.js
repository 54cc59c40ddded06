// The bill of materials: every package that is delivered, each with a licence that is allowed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unknownLicences } from './licences.js';
import { whyNoTool } from './tool-path.js';

const script = fileURLToPath(new URL('make-sbom.js', import.meta.url));
const lockFile = new URL('../package-lock.json', import.meta.url);

test('the bill of materials has every package that is delivered, and all have licences that are allowed', {
  skip: whyNoTool('cyclonedx-npm'),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-sbom-'));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, folder]);
    const [bill = '', list = ''] = stdout.split('\n').map((line) => line.split(': ')[0]);
    const { bomFormat, components } = JSON.parse(readFileSync(bill, 'utf8'));
    assert.equal(bomFormat, 'CycloneDX');
    assert.equal(readFileSync(list, 'utf8').trim().split('\n').length, components.length);
    const named = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
    const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
    const missing = [...neededAtRunTime(packages), ...stylesOfPages()].filter(
      (name) => !named.has(name),
    );
    assert.deepEqual(missing, []);
    assert(named.has('preact') && named.has('pg') && !named.has('typescript'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The packages that the packages of this repository need at run time, and those that these need. */
function neededAtRunTime(packages) {
  const found = new Set();
  const add = (path) => {
    for (const name of Object.keys(packages[path].dependencies ?? {})) {
      let folder = path;
      while (packages[join(folder, 'node_modules', name)] === undefined) {
        folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
      }
      const at = join(folder, 'node_modules', name);
      if (found.has(at)) continue;
      found.add(at);
      add(packages[at].resolved in packages ? packages[at].resolved : at);
    }
  };
  const ours = Object.keys(packages).filter((path) => /^(packages\/[^/]+|conformance)$/.test(path));
  for (const path of ours) add(path);
  return [...found].map((path) => path.slice(path.lastIndexOf('node_modules/') + 13));
}

/** The packages whose styles the sources of the console import. */
function stylesOfPages() {
  const folder = fileURLToPath(new URL('../packages/console/src/', import.meta.url));
  const files = readdirSync(folder, { recursive: true }).filter((name) =>
    /\.(tsx?|css)$/.test(name),
  );
  const imports = files.flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(
      /import ['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)[^'"]*['"]/g,
    ),
  ]);
  const names = new Set(imports.map(([, name]) => name));
  assert(names.size > 0);
  return names;
}

test('a licence with conditions, one among others, and none at all are named', () => {
  const component = (expression) => ({ name: 'x', version: '1', licenses: [{ expression }] });
  for (const expression of ['MIT', 'MIT OR GPL-3.0-only', '(MIT OR CC0-1.0)', 'MIT AND ISC']) {
    assert.deepEqual(unknownLicences([component(expression)]), [], expression);
  }
  for (const expression of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', '']) {
    assert.deepEqual(unknownLicences([component(expression)]), [
      `x 1 has the licence "${expression}"`,
    ]);
  }
  assert.equal(unknownLicences([{ name: 'x', version: '1' }]).length, 1);
});
