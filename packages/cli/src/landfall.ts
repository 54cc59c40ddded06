// The `landfall` command: its verbs, and how it ends.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addAudit } from './audit.js';
import { addAuthority } from './authority.js';
import { addCodelist } from './codelist.js';
import { tellError } from './exit.js';
import { addFeed } from './feed.js';
import { addKeys } from './keys.js';
import { addMigrate } from './migrate.js';
import { addOrganisations } from './organisations.js';
import { endWhenNobodyReads } from './output.js';
import { addPlayground } from './playground.js';
import { addPresent } from './present.js';
import { addRouting } from './routing.js';
import { addServe } from './serve.js';
import { addStatus } from './status.js';
import { addToken } from './token.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const program = new Command('landfall')
  .description('Present goods that arrive, and read whether they go to control or to entry.')
  .version(String(version))
  .exitOverride()
  .enablePositionalOptions()
  .showHelpAfterError('(--help tells how it is used)')
  .addHelpText(
    'after',
    `
Start a playground, then try it from another terminal:
  $ landfall playground
  $ landfall present house-consignment --as carrier --document HC001 --type N740
  $ landfall routing --as carrier

Exit codes: 0 done; 1 refused, or the service cannot be reached; 2 wrong usage.`,
  );

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

endWhenNobodyReads();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tellError(error);
}
