// The file of credentials and its certificates, as far as no rule for grants covers them.
import type { Credentials } from '@landfall/client';
import { parseCertificates } from '../../service/certificates.js';
import { describeMode, type OpenedCredentials } from '../../service/identity.js';
import { type Check, failed, ok, skipped, warning } from './check.js';

/** A certificate that expires within this number of days is reported. */
const EXPIRES_SOON_DAYS = 30;
const DAY_MS = 86_400_000;

/** organizationIdentifier: kind of register, country, and number (ETSI EN 319 412-1, section 5.1.4). */
const etsiIdentifier = /^(?:NTR|VAT|PSD|LEI)[A-Z]{2}-\S/;

/** The file: whether others can read it. */
export function checkFile({ file, mode, credentials }: OpenedCredentials): Check {
  const problem = describeMode(file, mode);
  if (problem === undefined) {
    return ok('credentials', `${file}: ${credentials.kind}, client ${credentials.clientId}`);
  }
  return warning('credentials', problem, `Protect it: chmod 600 ${file}`);
}

/** The dates of each certificate of the chain, and the organisation of the first. */
export function checkCertificates(credentials: Credentials, now: Date): Check[] {
  const certificates = parseCertificates(credentials);
  const [leaf] = certificates;
  if (leaf === undefined) {
    return [skipped('certificate', 'the credentials have none; the key is registered by its kid')];
  }
  const dates = certificates.flatMap(({ subject, validFrom, validTo }) => {
    const name = `the certificate of ${commonName(subject)}`;
    const days = Math.floor((Date.parse(validTo) - now.getTime()) / DAY_MS);
    if (now < new Date(validFrom)) {
      return [
        failed(
          'certificate',
          `${name} is valid from ${validFrom}, and it is ${now.toUTCString()}`,
          'Check the clock of this machine.',
        ),
      ];
    }
    if (days < 0) {
      return [failed('certificate', `${name} expired on ${validTo}`, RENEW)];
    }
    if (days >= EXPIRES_SOON_DAYS) return [];
    return [warning('certificate', `${name} expires on ${validTo}, in ${days} days`, RENEW)];
  });
  const identifier = /^(?:organizationIdentifier|2\.5\.4\.97)=(.*)$/m.exec(leaf.subject)?.[1];
  const count = certificates.length === 1 ? 'alone' : `with a chain of ${certificates.length - 1}`;
  const owner = identifier === undefined ? '' : `, organisation ${identifier}`;
  return [
    ...dates,
    ...(identifier !== undefined && !etsiIdentifier.test(identifier)
      ? [
          warning(
            'certificate',
            `organizationIdentifier is ${identifier}, which does not begin as NTR and a country, such as NTRDE-HRB000001`,
            'Ask the issuer for a certificate with the identifier of the trade register (ETSI EN 319 412-1).',
          ),
        ]
      : []),
    ...(dates.some(({ outcome }) => outcome === 'failed')
      ? []
      : [
          ok(
            'certificate',
            `${commonName(leaf.subject)} ${count}${owner}, valid until ${leaf.validTo}`,
          ),
        ]),
  ];
}

const RENEW =
  'Order a new certificate, and put it and its key into the credentials before this one expires.';

function commonName(subject: string): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
}
