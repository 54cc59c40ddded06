// The `landfall` command with all its subcommands.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addAuditVerify } from './audit/verify.js';
import { addAuthorityDecide } from './authority/decide.js';
import { addAuthorityFind } from './authority/find.js';
import { addAuthorityGenerate } from './authority/generate.js';
import { addAuthorityHistory } from './authority/history.js';
import { addAuthorityImport } from './authority/import.js';
import { addAuthorityOrganisations } from './authority/organisations.js';
import { addAuthorityProfile } from './authority/profile.js';
import { addCodelistImport } from './codelist/import.js';
import { addFeedCurrent } from './feed/current.js';
import { addFeedGenerate } from './feed/generate.js';
import { addFeedPublish } from './feed/publish.js';
import { addFeedTail } from './feed/tail.js';
import { addFeedValidate } from './feed/validate.js';
import { addKeysList } from './keys/list.js';
import { addKeysRotate } from './keys/rotate.js';
import { addMigrate } from './migrate.js';
import { addOrganisationsGrant } from './organisations/grant.js';
import { addPlayground } from './playground/playground.js';
import { addPresent } from './present/present.js';
import { addRouting } from './routing/routing.js';
import { addServe } from './serve/serve.js';
import { addStatus } from './status/status.js';
import { addToken } from './token/token.js';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

const examples = `
Start a playground, then try it from another terminal:
  $ landfall playground
  $ landfall present house-consignment --as carrier --document HC001 --type N740
  $ landfall routing --as carrier

Exit codes: 0 success; 1 refused, or the service cannot be reached; 2 wrong usage.`;

/** Builds the command. */
export function makeProgram(): Command {
  const program = new Command('landfall')
    .description('Present goods that arrive, and read whether they go to control or to entry.')
    .version(String(version))
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('(use --help for usage)')
    .addHelpText('after', examples);

  addPlayground(program);
  addToken(program);
  addPresent(program);
  addStatus(program);
  addRouting(program);
  const authority = program
    .command('authority')
    .description('customs authority: pre-notifications, routing decisions, organisations, history');
  addAuthorityImport(authority);
  addAuthorityDecide(authority);
  addAuthorityProfile(authority);
  addAuthorityGenerate(authority);
  addAuthorityOrganisations(authority);
  addAuthorityFind(authority);
  addAuthorityHistory(authority);
  const feed = program
    .command('feed')
    .description('goods-item stream: validate, generate, publish and read messages');
  addFeedValidate(feed);
  addFeedGenerate(feed);
  addFeedPublish(feed);
  addFeedTail(feed);
  addFeedCurrent(feed);
  addCodelistImport(program.command('codelist').description('code lists'));
  addServe(program);
  addMigrate(program);
  addOrganisationsGrant(
    program.command('organisations').description('organisations, directly in the database'),
  );
  const keys = program.command('keys').description('keys that sign tokens');
  addKeysList(keys);
  addKeysRotate(keys);
  addAuditVerify(program.command('audit').description('audit trail'));
  return program;
}
