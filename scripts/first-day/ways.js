// The ways of a new developer and of a new operator: documents that are followed, and tests of what may happen.

/** @param {readonly string[]} names */
const guides = (...names) => names.map((name) => `docs/guide/${name}.md`);

/** What is run on each machine. @type {Readonly<Record<string, readonly string[]>>} */
export const ways = {
  developer: [
    'scripts/run-readme.js',
    'README.md',
    ...guides('first-integration', 'command', 'testing-your-client'),
  ],
  operator: [
    'scripts/run-readme.js',
    ...guides('first-day', 'identity-provider', 'install', 'production', 'operate', 'configure'),
  ],
  // Every secret is changed; what a server says of each condition, and that it ends by itself.
  troubles: [
    'scripts/test.js',
    'service/dist/production/changed-secrets',
    'service/dist/console/openid/changed-secret',
    'service/dist/database/client-certificates',
    'cli/dist/commands/serve/conditions',
    'service/dist/production/clock-refusal',
    'service/dist/production/check-safety',
    'service/dist/feed/outdated-pages',
    'service/dist/presentation/ignored-members',
    'scripts/runbook-reference',
    'deploy/',
  ],
  // From the earliest published migrations, and from the release before this one, under load.
  upgrade: ['scripts/test.js', 'cli/dist/commands/admin/migrate', 'faults/upgrade'],
};
