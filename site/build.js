// Builds the site from the Markdown of the repository, or shows it while one writes. The packages must be built.
//
//   npm run docs              builds it into packages/playground/dist/site, from where a playground serves it at /docs/
//   npm run docs -- --serve   serves it, and shows what changes
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');
const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false } } });

if (!existsSync(join(here, 'node_modules/.bin/vitepress'))) {
  console.log('VitePress is not installed yet: running npm ci --prefix site');
  const args = ['ci', '--ignore-scripts', '--prefix', here];
  const { status } = spawnSync('npm', args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error('VitePress could not be installed: run npm ci --prefix site, then this again.');
    process.exit(1);
  }
}
if (!existsSync(join(root, 'packages/cli/dist/program/program.js'))) {
  console.error('The packages are not built: run npm run build, then this again.');
  process.exit(1);
}

const { findPages } = await import('./pages.js');
const { generatePages } = await import('./generate-pages.js');
const { startPage } = await import('./navigation.js');
const source = join(here, 'dist/source');
const images = join(here, 'dist/public/docs');
const pages = findPages();

rmSync(join(here, 'dist'), { recursive: true, force: true });
for (const [file, page] of pages) copy(file, page);
const made = { ...generatePages(), 'index.md': startPage() };
for (const [page, text] of Object.entries(made)) {
  mkdirSync(dirname(join(source, page)), { recursive: true });
  writeFileSync(join(source, page), text);
}
cpSync(join(root, 'docs'), images, {
  recursive: true,
  filter: (path) => !/\.\w+$/.test(path) || /\.(?:png|svg)$/.test(path),
});

if (values.serve) {
  watch(join(root, 'docs'), { recursive: true }, (_event, name) => {
    const file = `docs/${name?.replaceAll('\\', '/')}`;
    const page = pages.get(file);
    if (page !== undefined && existsSync(join(root, file))) copy(file, page);
  });
  const { createServer } = await import('vitepress');
  const server = await createServer(here, {});
  await server.listen();
  server.printUrls();
} else {
  const started = performance.now();
  const { build } = await import('vitepress');
  await build(here);
  const { checkSite } = await import('./check-site.js');
  const { compressFiles } = await import('./compress-files.js');
  const site = join(here, 'dist/site');
  const problems = checkSite(site);
  if (problems.length > 0) {
    console.error(`${problems.join('\n')}\n${problems.length} links lead nowhere`);
    process.exit(1);
  }
  const target = join(root, 'packages/playground/dist/site');
  const { bytes, compressed } = compressFiles(site);
  rmSync(target, { recursive: true, force: true });
  cpSync(site, target, { recursive: true });
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${target}: ${megabytes(bytes)}, compressed ${megabytes(compressed)}, in ${seconds} s`,
  );
}

/** @param {string} file @param {string} page */
function copy(file, page) {
  mkdirSync(dirname(join(source, page)), { recursive: true });
  cpSync(join(root, file), join(source, page));
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
