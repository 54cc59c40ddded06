// Makes the reference of the client library from its doc comments, in dist/reference/client/. Needs the build.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';

const root = fileURLToPath(new URL('../', import.meta.url));
const client = join(root, 'packages/client');
const folder = join(root, 'dist/reference/client');

const app = await Application.bootstrapWithPlugins({
  name: '@landfall/client',
  entryPoints: [join(client, 'src/index.ts'), join(client, 'src/node/index.ts')],
  tsconfig: fileURLToPath(new URL('tsconfig.reference.json', import.meta.url)),
  plugin: ['typedoc-plugin-markdown'],
  readme: 'none',
  disableSources: true,
  excludePrivate: true,
  excludeExternals: true,
  logLevel: 'Warn',
  treatWarningsAsErrors: true,
  // Options of the Markdown plugin.
  outputFileStrategy: 'modules',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  propertiesFormat: 'table',
  typeDeclarationFormat: 'table',
});
const project = await app.convert();
if (project === undefined || app.logger.hasWarnings()) process.exit(1);
rmSync(folder, { recursive: true, force: true });
await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
console.log(`written: ${folder}`);
