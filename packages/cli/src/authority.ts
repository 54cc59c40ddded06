// `landfall authority`: what the customs authority itself does: pre-notify, decide, find.
import type { Command } from 'commander';
import { addAuthorityDecide } from './authority-decide.js';
import { addAuthorityFind } from './authority-find.js';
import { addAuthorityGenerate } from './authority-generate.js';
import { addAuthorityHistory } from './authority-history.js';
import { addAuthorityImport } from './authority-import.js';
import { addAuthorityOrganisations } from './authority-organisations.js';
import { addAuthorityProfile } from './authority-profile.js';

/** Adds the verbs. */
export function addAuthority(program: Command): void {
  const group = program
    .command('authority')
    .description(
      "the customs authority's own side: what is pre-notified, decided, and what happened",
    );
  addAuthorityImport(group);
  addAuthorityDecide(group);
  addAuthorityProfile(group);
  addAuthorityGenerate(group);
  addAuthorityOrganisations(group);
  addAuthorityFind(group);
  addAuthorityHistory(group);
}
