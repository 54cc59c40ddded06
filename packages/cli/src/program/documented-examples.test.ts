// Every command is in an example of README.md or the guide, which CI runs.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { listSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The texts of the commands that CI runs. */
async function readExamples(): Promise<string> {
  const script = join(root, 'scripts', 'readme', 'extract-commands.js');
  const { extractCommands } = await import(pathToFileURL(script).href);
  const guide = join('docs', 'guide');
  const documents = [
    'README.md',
    ...(await readdir(join(root, guide))).map((name) => join(guide, name)),
  ];
  const texts = documents.map(async (document) => {
    const commands: { text: string; notRun?: string }[] = extractCommands(
      await readFile(join(root, document), 'utf8'),
    );
    return commands.filter(({ notRun }) => notRun === undefined).map(({ text }) => text);
  });
  return (await Promise.all(texts)).flat().join('\n');
}

const examples = await readExamples();
for (const name of listSubcommands(makeProgram())) {
  it(`landfall ${name} has an example that is run`, () => {
    assert.match(examples, new RegExp(`(?:^|[\\s(])landfall ${name}(?![\\w-])`, 'm'));
  });
}
