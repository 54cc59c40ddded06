// Builds the pages: one entry, a chunk for each page, and a compressed copy of each text for the service to send.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig } from 'vite';
import { pageList } from './src/layout/page-list.ts';

const site = fileURLToPath(new URL('dist/site', import.meta.url));

/**
 * The components import all elements of the design system for what they do beyond showing. `render-app.tsx` loads them when
 * the page is shown, so they do not delay it; but tabs show all their panels without theirs.
 */
const elementsAfterComponents = {
  name: 'elements-after-components',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const isComponent = /\/designsystemet-react\/dist\/esm\/components\/(?!tabs\/)/.test(importer);
    return source === '@digdir/designsystemet-web' && isComponent ? '\0no-elements' : null;
  },
  load(id) {
    return id === '\0no-elements' ? '' : null;
  },
};

/** Writes `.gz` and `.br` beside each script and stylesheet. */
const compress = {
  name: 'compress',
  async closeBundle() {
    const assets = join(site, 'assets');
    const texts = (await readdir(assets)).filter((name) => /\.(?:css|js|svg)$/.test(name));
    await Promise.all(
      texts.map(async (name) => {
        const path = join(assets, name);
        const text = await readFile(path);
        await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
        await writeFile(`${path}.br`, await promisify(brotliCompress)(text));
      }),
    );
  },
};

/** Writes the service worker, with the files of this build and a digest of their names, which have digests themselves. */
const addServiceWorker = {
  name: 'service-worker',
  async closeBundle() {
    const names = (await readdir(join(site, 'assets'))).filter((name) =>
      /\.(?:css|js)$/.test(name),
    );
    const files = names.sort().map((name) => `/console/assets/${name}`);
    const build = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16);
    const source = await readFile(new URL('src/service-worker.js', import.meta.url), 'utf8');
    const given = `const BUILD = '${build}';\nconst FILES = ${JSON.stringify(files)};\n`;
    await writeFile(join(site, 'service-worker.js'), given + source);
  },
};

/**
 * Writes the scripts and styles that each page loads, by the first part of its path: the service names them in the headers
 * of the page, so that a browser loads all of them at once. Those of index.html are not among them.
 */
const listPageFiles = {
  name: 'page-files',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    const chunkOf = (source) =>
      chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(source));
    const addFiles = (chunk, files) => {
      if (files.has(chunk.fileName)) return;
      files.add(chunk.fileName);
      for (const style of chunk.viteMetadata.importedCss) files.add(style);
      for (const name of chunk.imports) addFiles(bundle[name], files);
    };
    const ofIndex = new Set();
    addFiles(
      chunks.find(({ isEntry }) => isEntry),
      ofIndex,
    );
    const pages = {};
    for (const { name, path } of pageList) {
      const files = new Set(ofIndex);
      addFiles(chunkOf('/src/render-app.tsx'), files);
      addFiles(chunkOf(`/pages/${name}/${name}-page.tsx`), files);
      pages[path.split('/')[1]] = [...files]
        .filter((file) => !ofIndex.has(file))
        .map((file) => `/console/${file}`);
    }
    this.emitFile({
      type: 'asset',
      fileName: 'page-files.json',
      source: JSON.stringify(pages),
    });
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [elementsAfterComponents, listPageFiles, addServiceWorker, compress],
  resolve: {
    // The pages and the design system are written for React. Preact does the same in a quarter of the code: decision 0104.
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
  build: {
    outDir: site,
    emptyOutDir: true,
    target: 'es2022',
    // The content policy admits no data as a font or script.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Packages whose code is in the pages, for the bill of materials (scripts/make-sbom.js).
    license: { fileName: 'licences.json' },
    rolldownOptions: {
      // "use client", which the components of the design system begin with, means nothing here.
      checks: { moduleLevelDirective: false },
      treeshake: {
        moduleSideEffects: [
          // Its package does not say that its components have no side effects. Half of its code is of unused ones.
          { test: /@digdir\/designsystemet-react\/dist\/esm\//, sideEffects: false },
          // Elements that no page uses. The others define themselves when they are imported.
          {
            test: /@digdir\/designsystemet-web\/dist\/esm\/(?:breadcrumbs|pagination|suggestion|tooltip)\//,
            sideEffects: false,
          },
          { test: /@u-elements\/u-(?:combobox|datalist)\//, sideEffects: false },
          // The page that checks messages needs a tenth of the contract.
          { test: /\/(?:contract\/dist|node_modules\/typebox)\//, sideEffects: false },
        ],
      },
    },
  },
});
