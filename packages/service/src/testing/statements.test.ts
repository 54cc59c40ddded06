// Every statement is in a file with SQL, is listed for `docs/sql/`, and fits the schema.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeKeptTable, ownTables, saveData } from '../../../playground/dist/data-queries.js';
import { makeHostedSpaces } from '../../../playground/dist/hosting/queries.js';
import { makeSchemaList } from '../../../playground/dist/spaces/queries.js';
import { recordUndo } from '../../../playground/dist/undo-queries.js';
import { MAKE_RECORDS } from '../consignments/decision-export-queries.js';
import type { Database } from '../database/database.js';
import { drawnDatabases } from './databases.js';
import { statements } from './statements.js';

/** The folders with sources, by the prefix of their files in `statements`. */
const folders = {
  '': fileURLToPath(new URL('../../src/', import.meta.url)),
  'playground/': fileURLToPath(new URL('../../../playground/src/', import.meta.url)),
};

const isTestCode = /\.test\.(?:part\.)?ts$|^testing\//;
const isSql = /(?:^|[/-])queries\.ts$/;

/** The name of a statement directly before its text. */
const NAMED = /\bname: (['`])(.+?)\1,\s*(?:\/\/.*\s*)*text\b/g;

/** A member `text` of an object. */
const TEXT = /^\s*text(?:: |,)/gm;

/** The sources that are not test code, with their text. */
async function readSources(): Promise<Map<string, string>> {
  const texts = Object.entries(folders).map(async ([prefix, folder]) => {
    const files = (await readdir(folder, { recursive: true }))
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && !isTestCode.test(file));
    return Promise.all(
      files.map(
        async (file) => [`${prefix}${file}`, await readFile(join(folder, file), 'utf8')] as const,
      ),
    );
  });
  return new Map((await Promise.all(texts)).flat());
}

/** The pattern of a name in a source: parts that are inserted may be any text. */
function patternOf(name: string): RegExp {
  const parts = name
    .split(/\$\{.*?\}/)
    .map((part) => part.replaceAll(/[.*+?^$()|[\]{}\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}

test('every statement of the sources is listed, and each file with SQL', async () => {
  const files = [...(await readSources())].filter(([file]) => isSql.test(file));
  assert.ok(files.length > 15, `${files.length} files with SQL`);
  for (const [file, source] of files) {
    const names = [...source.matchAll(NAMED)].map(([, , name = '']) => name);
    assert.equal(
      names.length,
      [...source.matchAll(TEXT)].length,
      `${file} has an unnamed statement`,
    );
    const listed = (statements[file] ?? []).map(({ name }) => name);
    for (const name of names) {
      const pattern = patternOf(name);
      assert.ok(
        listed.some((one) => pattern.test(one)),
        `${name} of ${file} is not in testing/statements.ts`,
      );
    }
  }
});

test('no other source has a named statement', async () => {
  for (const [file, source] of await readSources()) {
    if (!isSql.test(file)) assert.deepEqual(source.match(NAMED), null, file);
  }
});

test('statements of one name have one text', () => {
  const texts = new Map<string, string>();
  for (const { name, text } of Object.values(statements).flat()) {
    assert.equal(texts.get(name) ?? text, text, name);
    texts.set(name, text);
  }
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`every statement on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
      // What a playground makes when it starts.
      await database.transact(async (transaction) => {
        const scripts = [makeKeptTable, makeSchemaList, makeHostedSpaces, ownTables, saveData];
        for (const script of [...scripts, recordUndo('public')]) await transaction.run(script);
      });
    });
    after(() => database.close());

    for (const [file, ofFile] of Object.entries(statements)) {
      test(`of ${file} fits the schema`, async () => {
        for (const { name: statementName, text } of ofFile) {
          await assert.doesNotReject(
            database.transact((transaction) =>
              transaction.run(`${MAKE_RECORDS}; ${preparing(text)}`),
            ),
            statementName,
          );
        }
      });
    }
  });
}

/** A script that prepares a statement. PREPARE takes queries only, so another command is executed. */
function preparing(text: string): string {
  return /^\s*(?:select|insert|update|delete|with)\b/.test(text)
    ? `prepare checked as ${text}; deallocate checked`
    : text;
}
