// Reads a secret that is configured as text or as a file, such as one that an orchestrator mounts.
import { buffer } from 'node:stream/consumers';
import { codeOf } from '../native-error.js';
import { describeExposure, exposures } from './describe-exposure.js';
import { NotAFileError, openFile } from './open-file.js';

/** The maximum length of a secret, in bytes. */
const MAX_BYTES = 65_536;

/** What no secret has; some have several lines. */
const CONTROL = /(?![\t\r\n])\p{Cc}/u;

/** The secret is configured twice, cannot be one, or its file cannot be read or is open to others. */
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
  if (file === '') return text === '' ? undefined : check(text, variable);
  const handle = await openFile(file).catch((error: unknown) => {
    throw unreadable(variable, file, error);
  });
  try {
    // Of the file that is read, even if another one gets its name meanwhile.
    const exposed = describeExposure(
      file,
      `the file in ${variable}_FILE`,
      (await handle.stat()).mode,
      exposures.secret,
    );
    if (exposed !== undefined) throw new SecretError(exposed);
    // No more than that is read, whatever the file is.
    const content = await buffer(
      handle.createReadStream({ end: MAX_BYTES, autoClose: false }),
    ).catch((error: unknown) => {
      throw unreadable(variable, file, error);
    });
    return withoutLastLineEnds(check(content.toString('utf8'), `the file in ${variable}_FILE`));
  } finally {
    await handle.close();
  }
}

function check(secret: string, what: string): string {
  if (Buffer.byteLength(secret) > MAX_BYTES) {
    throw new SecretError(`${what} must not be longer than ${MAX_BYTES} bytes`);
  }
  if (CONTROL.test(secret)) {
    throw new SecretError(
      `${what} must not contain control characters except line breaks and tabs`,
    );
  }
  return secret;
}

function unreadable(variable: string, file: string, error: unknown): SecretError {
  const reason =
    error instanceof NotAFileError ? 'it is not a regular file' : (codeOf(error) ?? 'unreadable');
  return new SecretError(`the file in ${variable}_FILE cannot be read: ${file} (${reason})`);
}

function withoutLastLineEnds(content: string): string {
  let end = content.length;
  while (content[end - 1] === '\n' || content[end - 1] === '\r') end--;
  return content.slice(0, end);
}
