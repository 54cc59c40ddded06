// Makes the reference of the client library from its doc comments.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';

const client = fileURLToPath(new URL('../../packages/client/', import.meta.url));

/**
 * The texts of the reference by file name, one for each entry point of the package.
 *
 * @returns {Promise<Record<string, string>>}
 */
export async function makeClientReference() {
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
  if (project === undefined) throw new Error('the reference of the client cannot be made');
  const folder = mkdtempSync(join(tmpdir(), 'landfall-reference-'));
  try {
    await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return Object.fromEntries(
      files
        .filter((file) => file.endsWith('.md'))
        .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
