// Every command that a document or a help text names exists.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { makeProgram } from './program.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const program = makeProgram();

/** The first words of what a document names that are no command, such as `authority find`; none if there is one. */
function findUnknown(words: readonly string[]): string | undefined {
  let command: Command = program;
  for (const [index, word] of words.entries()) {
    if (command.commands.length === 0) return undefined;
    // An option, a placeholder or what stands for several: not a name.
    if (!/^[a-z][a-z-]*$/.test(word) || word === 'help') return undefined;
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) return words.slice(0, index + 1).join(' ');
    command = next;
  }
  return undefined;
}

/** What a text names: `landfall` and its words, and in Markdown the words of a group without `landfall`. */
function* namedCommands(text: string): Generator<string[]> {
  for (const [, words = ''] of text.matchAll(/(?:\b|as_)landfall((?: [^\s`'"|;&)\\]+)+)/g)) {
    yield words.trim().split(' ');
  }
  for (const [, words = ''] of text.matchAll(/`([a-z-]+ [^`\n]*)`/g)) {
    const [noun = ''] = words.split(' ');
    const group = program.commands.find((each) => each.name() === noun);
    // A colon makes it the title of something else, such as a row of the bench.
    if (group !== undefined && group.commands.length > 0 && !words.includes(': ')) {
      yield words.split(' ');
    }
  }
}

/** Where a sentence goes on after the name of the project or of the command. */
const isSentence = ([word = '']: readonly string[]) =>
  !program.commands.some((each) => each.name() === word);

function check(text: string): string[] {
  return [...namedCommands(text)]
    .map((words) => words.map((word) => word.replace(/[.,:]+$/, '')))
    .filter((words) => !isSentence(words))
    .flatMap((words) => findUnknown(words) ?? []);
}

const documents = execFileSync('git', ['ls-files', '*.md', '*.yaml', '*.yml'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  // Decisions name what was considered too.
  .filter((name) => !name.startsWith('docs/decisions/'));

for (const name of documents) {
  it(`${name} names commands that exist`, () => {
    assert.deepEqual(check(readFileSync(join(root, name), 'utf8')), []);
  });
}

it('a name that does not exist is found', () => {
  assert.deepEqual(check('run `landfall feed tail`, or `authority find --document HC1`.'), [
    'feed tail',
    'authority find',
  ]);
  assert.deepEqual(check('as_landfall admin nonsense'), ['admin nonsense']);
  assert.deepEqual(check('`landfall feed follow`, and `routing list` from Landfall.'), []);
});
