// All verbs of the `landfall` command.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addAudit } from './audit.js';
import { addAuthority } from './authority.js';
import { addCodelist } from './codelist.js';
import { addFeed } from './feed.js';
import { addKeys } from './keys.js';
import { addMigrate } from './migrate.js';
import { addOrganisations } from './organisations.js';
import { addPlayground } from './playground.js';
import { addPresent } from './present.js';
import { addRouting } from './routing.js';
import { addServe } from './serve.js';
import { addStatus } from './status.js';
import { addToken } from './token.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const examples = `
Start a playground, then try it from another terminal:
  $ landfall playground
  $ landfall present house-consignment --as carrier --document HC001 --type N740
  $ landfall routing --as carrier

Exit codes: 0 done; 1 refused, or the service cannot be reached; 2 wrong usage.`;

/** Makes the command. */
export function makeProgram(): Command {
  const program = new Command('landfall')
    .description('Present goods that arrive, and read whether they go to control or to entry.')
    .version(String(version))
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('(--help tells how it is used)')
    .addHelpText('after', examples);

  addPlayground(program);
  addToken(program);
  addPresent(program);
  addStatus(program);
  addRouting(program);
  addAuthority(program);
  addFeed(program);
  addCodelist(program);
  addServe(program);
  addMigrate(program);
  addOrganisations(program);
  addKeys(program);
  addAudit(program);
  return program;
}
