// What file something is, is said by its content, also where that was made to mislead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeZip } from '../testing/zip.js';
import { kindOf } from './file-kind.js';
import { readZipNames } from './read-zip-names.js';

const TYPES = '[Content_Types].xml';
const zipKind = (...names: string[]) => kindOf(makeZip(names));
/** A ZIP file of which some bytes at the end are others. */
const changed = (at: number, ...bytes: number[]) => {
  const zip = makeZip([TYPES, 'word/document.xml']);
  zip.set(bytes, zip.length + at);
  return zip;
};

test('text is UTF-8 without control characters, except tabs and line breaks', () => {
  assert.equal(kindOf(Buffer.from('Ærlig tekst\t1\r\n🚢')), 'txt');
  assert.equal(kindOf(Buffer.from('PK is no ZIP file')), 'txt');
  assert.equal(kindOf(Buffer.from('\ufefftext')), 'txt');
  for (const character of ['\0', '\x07', '\x0b', '\x0c', '\x1b', '\x7f', '\x80', '\x9f']) {
    assert.equal(kindOf(Buffer.from(`a${character}b`)), undefined, JSON.stringify(character));
  }
  for (const bytes of ['ff', 'c3', 'eda080', 'c080', 'fffe41004200']) {
    assert.equal(kindOf(Buffer.from(bytes, 'hex')), undefined, bytes);
  }
});

test('a beginning that is not whole is none', () => {
  assert.equal(kindOf(Buffer.from('%PDF')), 'txt');
  assert.equal(kindOf(Buffer.from('ffd8', 'hex')), undefined);
  assert.equal(kindOf(Buffer.from('89504e470d0a1a', 'hex')), undefined);
  assert.equal(kindOf(Buffer.alloc(0)), 'txt');
});

test('an office file has its types and parts of one kind, and no macros', () => {
  assert.equal(zipKind(TYPES, 'word/document.xml'), 'docx');
  assert.equal(zipKind('xl/workbook.xml', TYPES), 'xlsx');
  for (const names of [
    [],
    [TYPES],
    ['word/document.xml'],
    [TYPES, 'words/document.xml'],
    [TYPES, 'a/word/document.xml'],
    [TYPES, 'word/document.xml', 'xl/workbook.xml'],
    [TYPES, 'word/document.xml', 'word/vbaProject.bin'],
    [TYPES, 'xl/workbook.xml', 'xl\\VBAPROJECT.BIN'],
    [TYPES, 'xl/workbook.xml', 'vbaProject.bin'],
    [TYPES.toLowerCase(), 'word/document.xml'],
  ]) {
    assert.equal(zipKind(...names), undefined, names.join());
  }
});

test('a directory that is broken, elsewhere or too long is none', () => {
  const zip = makeZip([TYPES, 'word/document.xml']);
  assert.equal(kindOf(Buffer.concat([zip, Buffer.from('more')])), undefined);
  for (let length = 0; length < zip.length; length++) {
    assert.equal(kindOf(zip.subarray(0, length)) === 'docx', false, String(length));
  }
  // The number of entries, of all and of this file; the number of this file; where the directory begins, and its length.
  assert.equal(kindOf(changed(-14, 1, 0, 1, 0)), undefined);
  assert.equal(kindOf(changed(-14, 3, 0, 3, 0)), undefined);
  assert.equal(kindOf(changed(-12, 0xff, 0xff)), undefined);
  assert.equal(kindOf(changed(-18, 1, 0)), undefined);
  assert.equal(kindOf(changed(-6, 0xff, 0xff, 0xff, 0xff)), undefined);
  assert.equal(kindOf(changed(-10, 0xff, 0xff, 0xff, 0x7f)), undefined);
  const hidden = makeZip([TYPES, 'word/document.xml', 'word/vbaProject.bin']);
  hidden.set([2, 0, 2, 0], hidden.length - 14);
  assert.equal(kindOf(hidden), undefined);
  const comment = changed(-2, 4, 0);
  assert.equal(kindOf(Buffer.concat([comment, Buffer.from('more')])), 'docx');
  const many = Array.from({ length: 10_001 }, (_, index) => `word/${index}`);
  assert.equal(zipKind(TYPES, ...many.slice(0, 9_999)), 'docx');
  assert.equal(zipKind(TYPES, ...many), undefined);
});

test('no file takes longer than a few slices, whatever it has', () => {
  const bytes = 10 * 1024 * 1024;
  const end = makeZip([]);
  const files = [
    Buffer.alloc(bytes, 'a'),
    Buffer.concat([Buffer.from('PK'), Buffer.alloc(bytes, 'PK\x05\x06')]),
    Buffer.concat([Buffer.from('PK'), Buffer.alloc(bytes), end]),
    Buffer.concat([Buffer.from('PK'), Buffer.alloc(bytes, 'PK\x01\x02')]),
    makeZip(Array.from({ length: 10_000 }, (_, index) => `${'x'.repeat(900)}${index}`)),
  ];
  for (const file of files) {
    const start = process.cpuUsage();
    kindOf(file);
    const took = process.cpuUsage(start).user / 1000;
    assert(took < 500, `${took} ms of the processor for ${file.toString('latin1', 0, 12)}`);
  }
});

test('no bytes are an error', () => {
  const zip = makeZip([TYPES, 'word/document.xml']);
  const change = fc.tuple(fc.nat(zip.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.nat(zip.length), (changes, length) => {
      const bytes = Buffer.from(zip.subarray(0, length));
      for (const [at, byte] of changes) if (at < length) bytes[at] = byte;
      readZipNames(bytes);
      kindOf(bytes);
    }),
    { numRuns: 2000 },
  );
});
