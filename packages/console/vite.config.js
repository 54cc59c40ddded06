// Builds the pages: one entry, a chunk for each page, and a compressed copy of each text for the service to send.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const site = fileURLToPath(new URL('dist/site', import.meta.url));

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

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react(), addServiceWorker, compress],
  build: {
    outDir: site,
    emptyOutDir: true,
    target: 'es2022',
    // The content policy admits no data as a font or script.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: [
          // Its package does not say that its components have no side effects. Half of its code is of unused ones.
          { test: /@digdir\/designsystemet-react\/dist\/esm\//, sideEffects: false },
          // The page that checks messages needs a tenth of the contract.
          { test: /\/(?:contract\/dist|node_modules\/typebox)\//, sideEffects: false },
        ],
      },
    },
  },
});
