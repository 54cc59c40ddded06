// The identity that a command acts as: its credentials, and the service that it calls.
import { access, constants, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '@landfall/client';
import { type CredentialsFile, readCredentials } from '@landfall/client/node';
import type { IdentityOptions } from '../input/options.js';
import { nextCommand } from '../output/next-command.js';
import { report } from '../output/output.js';
import { CommandFailedError, codeOf } from '../process/exit.js';
import { tokenCache } from '../settings/folders.js';
import { parseCertificates } from './certificates.js';

/** The credentials are missing or cannot be read. */
export class CredentialsError extends CommandFailedError {
  override readonly code = 'CREDENTIALS';
  override name = 'CredentialsError';
}

/** An identity, the service that it calls, and where its tokens are kept. */
export type Identity = Omit<CredentialsFile, 'credentials'> & {
  credentials: Credentials;
  tokenFolder: string;
};

/** Credentials, their file, and its mode. */
export type OpenedCredentials = CredentialsFile & { file: string; mode: number };

/**
 * Reads the credentials that the options select, and refuses a certificate that is not valid.
 *
 * @throws CredentialsError
 */
export async function readIdentity(options: IdentityOptions): Promise<Identity> {
  const { file, mode, ...opened } = await openCredentials(options);
  checkCertificate(file, opened.credentials, new Date());
  const warning = describeMode(file, mode);
  if (warning !== undefined) report(`warning: ${warning}`);
  const tokenFolder =
    options.credentials === undefined ? join(options.data, 'tokens') : tokenCache();
  return { ...opened, tokenFolder };
}

/**
 * Reads the credentials that the options select, whether they are valid or not.
 *
 * @throws CredentialsError when the file cannot be read, ConfigurationError when it has other contents
 */
export async function openCredentials(options: IdentityOptions): Promise<OpenedCredentials> {
  const { as, data, credentials: given, url } = options;
  const file = given ?? credentialsFile(data, as);
  try {
    await access(file, constants.R_OK);
  } catch (error) {
    const code = codeOf(error);
    throw new CredentialsError(
      given === undefined && (code === 'ENOENT' || code === 'ENOTDIR')
        ? await explainMissing(data, as)
        : explainUnreadable(file, code),
    );
  }
  return { file, mode: (await stat(file)).mode, ...(await readCredentials(file, url)) };
}

function explainUnreadable(file: string, code: string | undefined): string {
  return code === 'EACCES' || code === 'EPERM'
    ? `the permissions of ${file} do not let this user read it (${code})`
    : `cannot read ${file} (${code})`;
}

/** Says how to protect a file that others can read; Windows has no such mode. */
export function describeMode(file: string, mode: number): string | undefined {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return undefined;
  const octal = (mode & 0o777).toString(8);
  return `${file} has a private key, and other users can read or change it (mode ${octal}); run: chmod 600 ${file}`;
}

/** Refuses a certificate that is expired or not valid yet, before anything is sent. */
export function checkCertificate(file: string, credentials: Credentials, now: Date): void {
  const [certificate] = parseCertificates(credentials);
  if (certificate === undefined) return;
  const { validFrom, validTo } = certificate;
  if (now > new Date(validTo)) {
    throw new CredentialsError(
      `the certificate in ${file} expired on ${validTo}; put a new certificate and its key there. Nothing was sent.`,
    );
  }
  if (now < new Date(validFrom)) {
    throw new CredentialsError(
      `the certificate in ${file} is valid from ${validFrom}, and the clock of this machine says ${now.toISOString()}; check the clock. Nothing was sent.`,
    );
  }
}

/** The credentials file of an identity of a playground. */
export function credentialsFile(data: string, name: string): string {
  return join(data, 'credentials', `${name}.json`);
}

async function explainMissing(folder: string, name: string): Promise<string> {
  // A missing folder has no credentials, which the message says.
  const files = await readdir(join(folder, 'credentials')).catch(() => []);
  const names = files.filter((entry) => entry.endsWith('.json')).map((entry) => entry.slice(0, -5));
  return names.length === 0
    ? `no credentials in ${folder}; give --credentials or --profile, or start a playground: ${nextCommand(['playground'], { data: folder })}`
    : `no identity "${name}" in ${folder}; available: ${names.sort().join(', ')}`;
}
