// Reads what the two parts of an upload say: the metadata, and the name of the file.
import { isUtf8 } from 'node:buffer';
import {
  compileCheck,
  DocumentMetadata,
  duplicateMember,
  hasInvisible,
  INVISIBLE_ERROR,
  inspectJson,
  isTooDeep,
  MAX_DOCUMENT_NAME,
  tooDeep,
  type ValidationError,
} from '@landfall/contract';
import { DocumentRefusedError } from './document-errors.js';

/** What was uploaded. */
export type ReceivedDocument = { metadata: DocumentMetadata; fileName: string; content: Buffer };

const checkMetadata = compileCheck<DocumentMetadata>(DocumentMetadata);

/** @throws DocumentRefusedError with every rule that is broken */
export function readReceived(
  metadata: { content: Buffer },
  { content, fileName = '' }: { content: Buffer; fileName?: string | undefined },
): ReceivedDocument {
  const read = readMetadata(metadata.content);
  const nameErrors = checkName(fileName);
  if ('errors' in read || nameErrors.length > 0) {
    throw new DocumentRefusedError(...('errors' in read ? read.errors : []), ...nameErrors);
  }
  return { metadata: read.metadata, fileName, content };
}

function readMetadata(
  bytes: Buffer,
): { metadata: DocumentMetadata } | { errors: readonly ValidationError[] } {
  const within = ({ field, ...error }: ValidationError): ValidationError => ({
    ...error,
    field: field === '' ? 'metadata' : `metadata.${field}`,
  });
  const text = bytes.toString();
  if (isTooDeep(text)) return { errors: [within(tooDeep)] };
  let value: unknown;
  try {
    if (!isUtf8(bytes)) throw new SyntaxError();
    value = JSON.parse(text);
  } catch {
    return { errors: [{ field: 'metadata', error: 'must be JSON in UTF-8', code: 'FORMAT' }] };
  }
  const { duplicates } = inspectJson(text);
  if (duplicates.length > 0) return { errors: duplicates.map(duplicateMember).map(within) };
  const checked = checkMetadata(value);
  return checked.valid ? { metadata: checked.value } : { errors: checked.errors.map(within) };
}

function checkName(fileName: string): ValidationError[] {
  const error = (code: ValidationError['code'], words: string) => [
    { field: 'file', error: words, code },
  ];
  if (fileName.trim() === '') return error('REQUIRED', 'must have a file name');
  if (fileName.length > MAX_DOCUMENT_NAME) {
    return error('SIZE', `must have a file name of at most ${MAX_DOCUMENT_NAME} characters`);
  }
  return hasInvisible(fileName) ? error('FORMAT', `its file name ${INVISIBLE_ERROR}`) : [];
}
