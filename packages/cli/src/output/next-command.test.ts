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

it('the data folder and the address of this run are kept, and quoted where a shell needs it', () => {
  assert.match(
    nextCommand(['status'], { data: "my folder's", url: 'http://127.0.0.1:1' }),
    / status --data 'my folder'\\''s' --url http:\/\/127\.0\.0\.1:1$/,
  );
});

it('the default data folder is omitted', () => {
  assert.match(nextCommand(['routing'], { data: '.landfall' }), / routing$/);
});
