// The password of PostgreSQL in a file, which is read for each new session, so that it may change.
import type { Config } from '../config.js';
import { readSecret, SecretError } from '../files/read-secret.js';

const VARIABLE = 'LANDFALL_DATABASE_PASSWORD';

/** Reads the password as its file has it now; `undefined` if no file is configured. It throws SecretError. */
export function makePasswordReader({
  databasePasswordFile: file,
}: Pick<Config, 'databasePasswordFile'>): (() => Promise<string>) | undefined {
  if (file === '') return undefined;
  return async () => {
    const password = await readSecret(VARIABLE, '', file);
    if (password) return password;
    throw new SecretError(`the file in ${VARIABLE}_FILE is empty: ${file}`);
  };
}

/** Why the file of the password cannot be used. */
export async function checkPassword(
  config: Pick<Config, 'databasePasswordFile' | 'databaseUrl' | 'readDatabaseUrl'>,
): Promise<string[]> {
  const read = makePasswordReader(config);
  if (read === undefined) return [];
  const twice = [
    ['DATABASE_URL', config.databaseUrl],
    ['LANDFALL_READ_DATABASE_URL', config.readDatabaseUrl],
  ].filter(([, address = '']) => hasPassword(address));
  const reasons = twice.map(
    ([variable]) => `${variable} has a password, and ${VARIABLE}_FILE is set: remove one of both`,
  );
  try {
    await read();
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    reasons.push(error.message);
  }
  return reasons;
}

/** Whether an address of PostgreSQL has a password, which its driver would prefer. */
function hasPassword(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { password, searchParams } = new URL(address);
  return password !== '' || searchParams.has('password');
}
