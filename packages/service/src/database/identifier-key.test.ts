// The database's key of an identifier is that of the contract: for each character, and for any text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifierKey } from '@landfall/contract';
import fc from 'fast-check';
import { drawnDatabases } from '../testing/databases.js';

/** All planes in which Unicode has assigned characters; of those for private use, whose characters are all alike, the beginning. */
const isTried = (code: number) =>
  code < 0x33480 || (code >= 0xe0000 && code < 0xe0200) || (code & 0xffff) < 0x100;

const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  .filter(isTried)
  .map((code) => String.fromCodePoint(code));

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  test(`the key of an identifier on ${name} is that of the contract`, { skip }, async () => {
    const database = await open();
    const differing = async (texts: readonly string[]) => {
      const rows = await database.query<{ text: string; key: string }>({
        name: 'identifier-keys',
        text: `select text, identifier_key(text) as key from unnest($1::text[]) text`,
        values: [texts],
      });
      assert.equal(rows.length, texts.length);
      return rows.flatMap(({ text, key }) => (key === identifierKey(text) ? [] : escape(text)));
    };
    try {
      // Within a text, a mark composes with the letter before it.
      for (let at = 0; at < characters.length; at += 100_000) {
        const part = characters.slice(at, at + 100_000);
        assert.deepEqual(await differing(part.map((character) => `A${character}1`)), []);
      }
      const likely = fc.constantFrom(
        ...characters.slice(0, 0x600),
        ...characters.slice(0x1e00, 0x2100),
      );
      const texts = fc.sample(fc.string({ unit: likely, maxLength: 12 }), 20_000);
      assert.deepEqual(await differing(texts), []);
    } finally {
      await database.close();
    }
  });
}
