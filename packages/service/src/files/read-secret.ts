// Reads a secret that is configured as text or as a file, such as one that an orchestrator mounts.
import { readFile } from 'node:fs/promises';
import { codeOf } from '../native-error.js';

/** The secret is configured twice, or its file cannot be read. */
export class SecretError extends Error {
  readonly code = 'SECRET';
  override name = 'SecretError';
}

/**
 * The secret, or `undefined` if neither its text nor its file is configured. Line breaks at the end of the file are
 * removed.
 *
 * @param variable environment variable of the text; that of the file ends in `_FILE`
 * @param text the secret, or empty
 * @param file path of the file that contains it, or empty
 * @throws SecretError
 */
export async function readSecret(
  variable: string,
  text: string,
  file: string,
): Promise<string | undefined> {
  if (text !== '' && file !== '') {
    throw new SecretError(`only one of ${variable} or ${variable}_FILE may be set`);
  }
  if (file === '') return text === '' ? undefined : text;
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = codeOf(error) ?? 'unreadable';
    throw new SecretError(`the file in ${variable}_FILE cannot be read: ${file} (${code})`);
  });
  return content.replace(/[\r\n]+$/, '');
}
