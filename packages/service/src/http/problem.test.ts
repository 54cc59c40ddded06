// Every error class of the service has a status, or is known never to reach a response.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ChangedMeanwhileError } from '../feed/transact-on-feeds.js';
import { makeProblem, problemOfCode } from './problem.js';

/** Who handles an error that never reaches a response. In one it would be an internal error. */
const handledBy: Readonly<Record<string, string>> = {
  AddressRefusedError: 'post-to-receiver.ts, which gives it as the outcome of an attempt',
  AuditFileError: 'commands of the audit trail',
  BrokenDatabaseError: 'the start of a server',
  ConfigError: 'the start of a server',
  DatabaseAddressError: 'the start of a server',
  ExpiredTokenError: 'oauth-http.ts, in the form of OAuth',
  FolderInUseError: 'the start of a server',
  ForeignMessageError: 'the relay, which reports it',
  HttpError: 'problem.ts: it has its own status',
  KeysChangedError: '`landfall admin keys change-passphrase`',
  KeyPassphraseError: 'the start of a server',
  LogoutTokenError: 'back-channel-logout.ts',
  MigrationBlockedError: 'the command that migrates',
  MigrationFormatError: 'the command that migrates',
  MigrationMismatchError: 'the start of a server',
  NoDatabaseError: 'commands of the database',
  NotAFileError: 'read-secret.ts and key-file.ts, which name what was to be read',
  NotOnStandbyError: 'feed-views.ts, which reads from the primary',
  OAuthRefusalError: 'oauth-http.ts, in the form of OAuth',
  OrganisationRefusedError: 'store-organisation.ts, which returns the rules',
  RemovalPausedError: 'the background work that removes',
  RemoteStatusError: 'read-remote-json.ts and its callers, to whom the provider is away',
  ResultsNotReadError: 'stream-response.ts, which says so in a last result',
  RolesError: 'the start of a server',
  RunAccessEndedError: 'carry-out-runs.ts, which pauses the run',
  RunStoppedError: 'carry-out-runs.ts, which goes on with other runs',
  SecretError: 'the start of a server',
  SignInRefusedError: 'the pages of signing in',
  HeldError: 'transact-on-feeds.ts, which waits and begins again',
  OrganisationHeldError: 'transact-on-feeds.ts, which waits and begins again',
  DeclarationHeldError: 'transact-on-feeds.ts, which waits and begins again',
  NothingCancelledError: 'cancel-movement-as-authority.ts, which says what was cancelled',
  KeyHeldError: 'transact-on-feeds.ts, which waits and begins again',
  UnreadableKeyFileError: 'the start of a server, and the reloading of keys',
  UnsafeError: 'the start of a server',
  UnusableStandbyError: 'standbys.ts, which reads from others',
  NotAStandbyError: 'standbys.ts, which reads from others',
  UploadInterruptedError: 'goods-items/routes.ts, which explains its cause',
  UploadsFullError: 'goods-items/routes.ts',
  ForeignStreamError: 'the relay, which reports it and stores nothing',
  FullSubjectError: 'the relay, which makes the feed of the subject wait',
  RefusedPurgeError: 'the relay of views, which makes the view wait',
  TlsError: 'post-to-receiver.ts, which gives it as the outcome of an attempt',
  UnusableViewError: 'the relay of views, which makes the view wait',
  StaleConnectionError: 'post-to-receiver.ts, which sends over another connection',
  TriedError: 'failed-writes.ts, which ends a transaction with it',
};

/** The error classes of the compiled modules, with the codes that they define or inherit. */
function findErrorClasses(): Map<string, string | undefined> {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.js') &&
      !file.endsWith('.test.js') &&
      !file.split(/[/\\]/).includes('testing'),
  );
  const classes = new Map<string, { parent: string; code: string | undefined }>();
  for (const file of files) {
    const [, ...declarations] = readFileSync(`${folder}/${file}`, 'utf8').split(
      /^(?:export )?class /m,
    );
    for (const declaration of declarations) {
      const [, name = '', parent = ''] = /^(\w+) extends (\w*Error)\b/.exec(declaration) ?? [];
      const [body = ''] = declaration.split(/^\}/m);
      if (name !== '') classes.set(name, { parent, code: /^ {4}code = '(\w+)'/m.exec(body)?.[1] });
    }
  }
  const codeOf = (name: string): string | undefined => {
    const found = classes.get(name);
    return found && (found.code ?? codeOf(found.parent));
  };
  return new Map([...classes.keys()].map((name) => [name, codeOf(name)]));
}

const found = findErrorClasses();

test('every error class has a status, or never reaches a response', () => {
  assert(found.size > 40, `${found.size} classes were found`);
  const unknown = [...found].filter(
    ([name, code]) =>
      handledBy[name] === undefined && (code === undefined || problemOfCode[code] === undefined),
  );
  assert.deepEqual(unknown, [], 'give each code a status in problem.ts');
});

test('no class is handled and has a status, and what is handled exists', () => {
  for (const name of Object.keys(handledBy)) {
    assert(found.has(name), `${name} does not exist`);
    const code = found.get(name) ?? '';
    assert.equal(problemOfCode[code], undefined, `${name} has a status`);
  }
});

test('every status of our own errors is that of the class, and 503 says when to retry', () => {
  for (const code of found.values()) {
    const expected = code === undefined ? undefined : problemOfCode[code];
    if (expected === undefined) continue;
    const { problem, headers } = makeProblem(Object.assign(new Error('why'), { code }), 'id');
    assert.equal(problem.status, expected.status, code);
    assert.equal(headers['Retry-After'], expected.status === 503 ? '1' : undefined, code);
  }
});

test('goods that others are changing are unavailable, and no internal error', () => {
  const { problem, headers } = makeProblem(
    new ChangedMeanwhileError('goods of 7 have changed'),
    'id',
  );
  assert.equal(problem.status, 503);
  assert.equal(headers['Retry-After'], '1');
  assert.doesNotMatch(problem.detail, /7/);
});
