// The commands that say that they change nothing: a list to compare with, because one too many would end with 0 half-way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReading } from '../input/only-reads.js';
import { findSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

const expected = [
  'admin audit decisions',
  'admin audit export',
  'admin audit verify',
  'admin check-provider',
  'admin keys list',
  'admin status',
  'authority generate',
  'codelist list',
  'codelist view',
  'completion',
  'consignment list',
  'consignment view',
  'dataset generate',
  'dataset list',
  'dataset view',
  'doctor',
  'document find',
  'document list',
  'document read',
  'feed follow',
  'feed generate',
  'feed list',
  'feed validate',
  'movement check',
  'movement documents',
  'movement entry',
  'movement generate',
  'movement list',
  'movement rules',
  'movement show',
  'movement status follow',
  'movement status list',
  'movement status view',
  'movement view',
  'organisation list',
  'organisation names',
  'organisation view',
  'playground',
  'profile list',
  'reference-document generate',
  'reference-document list',
  'routing follow',
  'routing list',
  'routing wait',
  'routing-profile dry-run',
  'routing-profile list',
  'routing-run list',
  'routing-run results',
  'routing-run view',
  'scenario list',
  'serve',
  'snapshot list',
  'space list',
  'status follow',
  'status list',
  'status view',
  'token create',
  'token doctor',
  'trial-provider',
];

test('commands that say that they only read are these', () => {
  const reading = findSubcommands(makeProgram()).filter(({ command }) => isReading(command));
  assert.deepEqual(reading.map(({ name }) => name).sort(), expected);
});
