// A suggested command can be copied and run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandName, nextCommand } from './next-command.js';

describe('the command has the name that it was called by', () => {
  it('through npm or npx', () => {
    assert.equal(commandName('/x/landfall.js', { npm_lifecycle_event: 'start' }), 'npx landfall');
    assert.equal(commandName('/x/node_modules/.bin/landfall', {}), 'npx landfall');
  });

  it('installed', () => {
    assert.equal(commandName('/usr/local/bin/landfall', {}), 'landfall');
  });

  it('as a script', () => {
    assert.equal(commandName(`${process.cwd()}/dist/landfall.js`, {}), 'node dist/landfall.js');
  });
});

it('the data folder of this run is kept, and quoted where a shell needs it', () => {
  assert.match(
    nextCommand(['status', 'list'], { data: "my folder's" }),
    / status list --data 'my folder'\\''s'$/,
  );
});

it('the options of this run are repeated, and not what comes from a profile', () => {
  const options = { data: 'of a profile', repeated: ['--url', 'http://127.0.0.1:1'] };
  assert.match(nextCommand(['status', 'list'], options), / status list --url http:\S+:1$/);
});

it('the default data folder is omitted', () => {
  assert.match(nextCommand(['routing'], { data: '.landfall' }), / routing$/);
});
