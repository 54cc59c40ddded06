// Bundles the command, so that it starts fast: one file instead of hundreds, with what only some subcommands need in
// files of their own. The service and the playground are not bundled: they are loaded by the subcommands that start them.
// The settings of the service are, because subcommands describe them: they would load the contract a second time.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const command = new URL('../packages/cli/', import.meta.url);
const outdir = fileURLToPath(new URL('dist/bundle/', command));

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: [fileURLToPath(new URL('dist/landfall.js', command))],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  external: ['@landfall/playground', '@landfall/service'],
  // An alias comes before `external`, which would include it.
  alias: {
    '@landfall/service/config': fileURLToPath(
      new URL('../packages/service/dist/config.js', import.meta.url),
    ),
  },
  // Commander is a CommonJS module, and requires modules of Node.js.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
