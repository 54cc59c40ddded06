// Certificates of registered clients that end soon: their grants are refused from then on.
import { X509Certificate } from 'node:crypto';
import type { Database, Queryable, Statement } from '../database/database.js';
import { isLockTimeout } from '../database/errors.js';

/** Certificates that end within this time are shown, in milliseconds. */
const SOON_MS = 30 * 86_400_000;

/** A client that has no key, and whose last certificate ends soon or has ended. */
export type EndingCertificate = {
  organisation: string;
  client: string;
  /** When its last certificate ends, ISO 8601. */
  endsAt: string;
};

const selectCertificates: Statement<{
  organisation: string;
  client: string;
  certificates: string[];
}> = {
  name: 'select-certificates',
  text: `
    select o.identifier as organisation, c.client_id as client, c.certificates
    from client c join organisation o on o.id = c.organisation_id
    where not c.blocked and not o.blocked and c.certificates <> '{}' and jsonb_array_length(c.keys) = 0
    order by o.identifier, c.client_id`,
  values: [],
};

/** For how long the table of clients is waited for, in milliseconds: whoever asks does so because something is wrong. */
const MAX_LOCK_WAIT_MS = 1000;

const limitWait: Statement = {
  name: 'limit-lock-wait',
  text: `select set_config('lock_timeout', $1, true)`,
  values: [String(MAX_LOCK_WAIT_MS)],
};

/** The same; `undefined` if somebody has locked the table of clients. */
export async function findEndingUnlessLocked(
  database: Database,
  now: Date,
): Promise<EndingCertificate[] | undefined> {
  try {
    return await database.transact(async (transaction) => {
      await transaction.query(limitWait);
      return findEndingCertificates(transaction, now);
    });
  } catch (error) {
    if (isLockTimeout(error)) return undefined;
    throw error;
  }
}

/** Those of all organisations, the first to end first. */
export async function findEndingCertificates(
  database: Queryable,
  now: Date,
): Promise<EndingCertificate[]> {
  const clients = await database.query(selectCertificates);
  return clients
    .map(({ certificates, ...client }) => ({
      ...client,
      ends: Math.max(...certificates.map(endOf)),
    }))
    .filter(({ ends }) => ends < now.getTime() + SOON_MS)
    .sort((one, other) => one.ends - other.ends)
    .map(({ ends, ...client }) => ({ ...client, endsAt: new Date(ends).toISOString() }));
}

/** Registration has checked that it is a certificate. */
function endOf(certificate: string): number {
  return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
}
