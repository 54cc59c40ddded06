// A playground for tests of the token doctor: makes grants, requests tokens, and runs the doctor.
import assert from 'node:assert/strict';
import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { JWT_BEARER_GRANT, type PlaygroundCredentials } from '@landfall/contract';
import type { Playground } from '@landfall/playground';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import type { AdvisedFinding } from '../commands/token/show-findings.js';
import { credentialsFile } from '../service/identity.js';
import { runCommand } from './run-command.js';
import { startPlayground } from './start-playground.js';

/** A grant before it is signed. */
export type UnsignedGrant = {
  header: JWTHeaderParameters;
  claims: Record<string, unknown>;
  key: KeyObject | Uint8Array;
};

/** Changes a grant before it is signed; `now` in seconds since 1970. */
export type ChangeGrant = (grant: UnsignedGrant, now: number) => unknown;

const folder = mkdtempSync(join(tmpdir(), 'landfall-'));

/** The data folder of the playground. */
export const data = join(folder, 'data');

/** The path of a file for a test. */
export function fileFor(name: string): string {
  return join(folder, name);
}

/** Reads the credentials of a playground identity. */
export async function readPlaygroundCredentials(name: string): Promise<PlaygroundCredentials> {
  return JSON.parse(await readFile(credentialsFile(data, name), 'utf8'));
}

/** Runs the playground while the tests of a file run. */
export function runPlayground(): void {
  let playground: Playground;
  before(async () => {
    playground = await startPlayground(data);
  });
  after(async () => {
    await playground.close();
    await rm(folder, { recursive: true });
  });
}

/** Makes a grant of a playground identity; valid unless `change` breaks it. */
export async function makeGrant(
  name: string,
  change: ChangeGrant = () => undefined,
): Promise<string> {
  const credentials = await readPlaygroundCredentials(name);
  const now = Math.floor(Date.now() / 1000);
  const grant: UnsignedGrant = {
    header: { alg: 'ES256', x5c: credentials.x5c },
    claims: {
      iss: credentials.client_id,
      aud: credentials.idp_url,
      scope: credentials.scopes[0],
      iat: now,
      exp: now + 60,
      jti: randomUUID(),
    },
    key: createPrivateKey(credentials.private_key),
  };
  change(grant, now);
  return new SignJWT(grant.claims).setProtectedHeader(grant.header).sign(grant.key);
}

/** Requests a token from the playground's identity provider; returns it or the code of the refusal. */
export async function requestToken(
  assertion: string,
): Promise<{ token?: string; refusal?: string }> {
  const { idp_url: idpUrl } = await readPlaygroundCredentials('carrier');
  const body = new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion });
  const response = await fetch(`${idpUrl}/token`, { method: 'POST', body });
  const { access_token: token, error_description: description } = JSON.parse(await response.text());
  return response.ok ? { token } : { refusal: String(description).slice(0, 'MP-000'.length) };
}

/** Runs the doctor and returns its findings and exit code; checks against the playground by default. */
export async function examine(
  token: string,
  ...options: string[]
): Promise<{ code: number | null; findings: AdvisedFinding[] }> {
  const line = [
    'token',
    'doctor',
    '--json',
    ...(options.length === 0 ? ['--data', data] : options),
  ];
  const { code, stdout, stderr } = await runCommand(line, { input: `${token}\n` });
  // No part of the token is printed completely.
  for (const part of token.split('.')) {
    assert.ok(part.length < 40 || !(stdout + stderr).includes(part));
  }
  return { code, findings: JSON.parse(stdout) };
}
