// Certificates made by the openssl command, so that chains are not read by the code that made them.
import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COMMAND = 'openssl';

/** Why tests that need the command are skipped; `false` when it is there. */
export const opensslMissing: string | false =
  spawnSync(COMMAND, ['version']).status === 0
    ? false
    : 'the openssl command is not installed: apt-get install openssl';

/** A certificate with its key. */
export type Made = { name: string; pem: string; x5c: string; key: KeyObject };

const AUTHORITY = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n';
const END_ENTITY = 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n';

/** How a certificate differs from a good one. */
export type Variation = {
  days?: number;
  extensions?: string;
  key?: string[];
  digest?: string;
  subject?: string;
};

/** Makes certificates in a folder of its own. */
export class CertificateMaker {
  readonly #folder = mkdtempSync(join(tmpdir(), 'landfall-openssl-'));

  root(name: string, variation: Variation = {}): Made {
    return this.#make(name, undefined, { extensions: AUTHORITY, ...variation });
  }

  authority(name: string, issuer: Made, variation: Variation = {}): Made {
    return this.#make(name, issuer, { extensions: AUTHORITY, ...variation });
  }

  seal(name: string, issuer: Made | undefined, variation: Variation = {}): Made {
    return this.#make(name, issuer, {
      extensions: END_ENTITY,
      subject: `/C=DE/O=Seal ${name}/organizationIdentifier=NTRDE-${name}/CN=${name}`,
      ...variation,
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #make(
    name: string,
    issuer: Made | undefined,
    {
      days = 30,
      extensions = '',
      key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
      digest = 'sha256',
      subject = `/C=DE/O=Trust/CN=${name}`,
    }: Variation,
  ): Made {
    const file = (kind: string, of = name) => join(this.#folder, `${of}.${kind}`);
    writeFileSync(file('ext'), extensions);
    this.#run([
      'req',
      '-new',
      ...key,
      '-nodes',
      '-keyout',
      file('key'),
      '-out',
      file('csr'),
      '-subj',
      subject,
    ]);
    const signer =
      issuer === undefined
        ? ['-signkey', file('key')]
        : ['-CA', file('pem', issuer.name), '-CAkey', file('key', issuer.name), '-CAcreateserial'];
    this.#run([
      ...['x509', '-req', '-in', file('csr'), '-out', file('pem'), '-days', String(days)],
      ...[`-${digest}`, '-extfile', file('ext'), ...signer],
    ]);
    const pem = readFileSync(file('pem'), 'utf8');
    return {
      name,
      pem,
      x5c: new X509Certificate(pem).raw.toString('base64'),
      key: createPrivateKey(readFileSync(file('key'))),
    };
  }

  #run(command: string[]): void {
    execFileSync(COMMAND, command, { stdio: 'pipe' });
  }
}
