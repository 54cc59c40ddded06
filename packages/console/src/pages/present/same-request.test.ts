// The texts that are offered for copying do what they say: a shell and a parser read them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { quote } from '../../playground/command-line.js';
import { exampleOf, makePresentation } from './presentation-form.js';
import { asCommand, asCurl, asProgram } from './same-request.js';

const REQUEST_ID = '7b0c2f4e-0f5c-4f0e-9a3e-5f6d1b6a2c11';

/** A text that a shell would take apart, or run. */
const HOSTILE = `a'b "c" $(touch x) \`id\` \\ ; & | > <é\n`;

const words = (line: string) =>
  execFileSync('/bin/sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], {
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);

test('a shell reads a quoted word as it was', () => {
  for (const word of ['HC001', '', HOSTILE, '-n', '*', '~']) {
    assert.deepEqual(words(quote(word)), [word]);
  }
});

test('the command has what was entered, whatever it is', () => {
  const values = { ...exampleOf('HOUSE_CONSIGNMENT'), documentNumber: HOSTILE };
  const line = asCommand(values, { identity: 'carrier', dataFolder: HOSTILE });
  assert.deepEqual(words(line), [
    ...['npx', 'landfall', 'present', 'house-consignment', '--as', 'carrier'],
    ...['--data', HOSTILE],
    // As it is sent: without the end of the line that a scanner adds.
    ...['--document', HOSTILE.trimEnd(), '--type', 'N740', '--office', 'NO351001'],
  ]);
});

test('what scanners and people add is not sent', () => {
  const house = {
    ...exampleOf('HOUSE_CONSIGNMENT'),
    documentNumber: ']C1HC 001\r',
    mrn: ' 23no 0000',
  };
  assert.deepEqual(makePresentation({ ...house, office: ' no351001' }, REQUEST_ID), {
    requestId: REQUEST_ID,
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber: 'HC 001', type: 'N740' },
    mrn: '23NO0000',
  });
  const container = { ...exampleOf('CONTAINER'), containerId: '*jaru 000001 0*' };
  const { containerId } = makePresentation(container, REQUEST_ID) as { containerId: string };
  assert.equal(containerId, 'JARU0000010');
});

test('curl sends the presentation', () => {
  const presentation = makePresentation(
    { ...exampleOf('CONTAINER'), containerId: HOSTILE },
    REQUEST_ID,
  );
  const text = asCurl('CONTAINER', presentation, {
    baseUrl: 'http://localhost:8080',
    identity: 'carrier',
  });
  const [, , ...rest] = text.split('curl ')[1]?.replaceAll('\\\n', '') ?? '';
  const sent = words(rest.join('').replace('"Authorization: Bearer $TOKEN"', 'token'));
  assert.deepEqual(JSON.parse(sent[sent.indexOf('-d') + 1] ?? ''), presentation);
  assert.equal(sent.at(-1), 'http://localhost:8080/api/movement/presentation/v1/container');
});

test('the program calls the method of the level, which makes the requestId', () => {
  const text = asProgram('RECEPTACLE', makePresentation(exampleOf('RECEPTACLE'), REQUEST_ID), {
    identity: 'carrier',
    dataFolder: '/tmp/my data',
  });
  assert.match(text, /readCredentials\("\/tmp\/my data\/credentials\/carrier\.json"\)/);
  assert.match(text, /landfall\.presentReceptacle\(\{/);
  assert.doesNotMatch(text, /requestId/);
});
