// Certificates of registered clients that end soon: their grants are refused from then on.
import { X509Certificate } from 'node:crypto';
import type { Database, Queryable } from '../database/database.js';
import { isLockTimeout } from '../database/errors.js';
import { limitLockWait, selectCertificates } from './queries.js';

/** Certificates that end within this time are shown, in milliseconds. */
const SOON_MS = 30 * 86_400_000;

/** A client that has no key, and whose last certificate ends soon or has ended. */
export type EndingCertificate = {
  organisation: string;
  client: string;
  /** When its last certificate ends, ISO 8601. */
  endsAt: string;
};

/** For how long the table of clients is waited for, in milliseconds: whoever asks does so because something is wrong. */
const MAX_LOCK_WAIT_MS = 1000;

/** The same; `undefined` if somebody has locked the table of clients. */
export async function findEndingUnlessLocked(
  database: Database,
  now: Date,
): Promise<EndingCertificate[] | undefined> {
  try {
    return await database.transact(async (transaction) => {
      await transaction.query(limitLockWait(MAX_LOCK_WAIT_MS));
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
