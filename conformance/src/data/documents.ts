// Documents of customs declarations, and uploading them.
import { randomInt, randomUUID } from 'node:crypto';
import * as samples from '@landfall/samples';
import type { HttpResponse } from '../http/exchange.js';
import type { CaseContext } from '../suite/case-context.js';
import { NotTestedError } from '../suite/not-tested-error.js';

const random = samples.makeRandom(randomInt(2 ** 31));

/** The id of a declaration that no other run uses. */
export function newDeclarationId(): string {
  return `${samples.organisationNumber(random)}-1708${randomInt(1900, 2100)}-${randomInt(1, 1_000_000)}`;
}

/** A text that no other run has uploaded. */
export function newText(): string {
  return `a text of the conformance suite, ${randomUUID()}\n`;
}

const fromBase64 = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));

/** ZIP files whose entries are empty: only their names matter. */
export const zipFiles = {
  docx: fromBase64(
    'UEsDBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbFBLAwQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEQAAAHdvcmQvZG9jdW1lbnQueG1sUEsBAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABMAAAAAAAAAAAAAAAAAAAAAAFtDb250ZW50X1R5cGVzXS54bWxQSwECAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEQAAAAAAAAAAAAAAAAAxAAAAd29yZC9kb2N1bWVudC54bWxQSwUGAAAAAAIAAgCAAAAAYAAAAAAA',
  ),
  xlsx: fromBase64(
    'UEsDBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbFBLAwQAAAAAAAAAAAAAAAAAAAAAAAAAAAAADwAAAHhsL3dvcmtib29rLnhtbFBLAQIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAATAAAAAAAAAAAAAAAAAAAAAABbQ29udGVudF9UeXBlc10ueG1sUEsBAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8AAAAAAAAAAAAAAAAAMQAAAHhsL3dvcmtib29rLnhtbFBLBQYAAAAAAgACAH4AAABeAAAAAAA=',
  ),
  docxWithMacros: fromBase64(
    'UEsDBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbFBLAwQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEQAAAHdvcmQvZG9jdW1lbnQueG1sUEsDBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAATAAAAd29yZC92YmFQcm9qZWN0LmJpblBLAQIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAATAAAAAAAAAAAAAAAAAAAAAABbQ29udGVudF9UeXBlc10ueG1sUEsBAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABEAAAAAAAAAAAAAAAAAMQAAAHdvcmQvZG9jdW1lbnQueG1sUEsBAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABMAAAAAAAAAAAAAAAAAYAAAAHdvcmQvdmJhUHJvamVjdC5iaW5QSwUGAAAAAAMAAwDBAAAAkQAAAAAA',
  ),
};

/** A file, with its name. */
export type TestFile = { name: string; content: string | Uint8Array<ArrayBuffer> };

/** A part of a body: `metadata` as JSON, or a file. */
export type TestPart = { part: string; json: object } | ({ part: string } & TestFile);

/** The two parts of an upload. */
export function partsOf(
  file: TestFile,
  metadata: object = { documentType: 'invoice' },
): readonly TestPart[] {
  return [
    { part: 'metadata', json: metadata },
    { part: 'file', ...file },
  ];
}

/** Uploads a body with these parts. */
export async function uploadParts(
  context: CaseContext,
  parts: readonly TestPart[],
  declarationId: string = newDeclarationId(),
): Promise<HttpResponse> {
  const form = new FormData();
  for (const part of parts) {
    if ('json' in part) form.append(part.part, JSON.stringify(part.json));
    else form.append(part.part, new Blob([part.content]), part.name);
  }
  const body = new Response(form);
  const response = await context.as('uploader').call('uploadDocument', {
    path: { declarationId },
    raw: new Uint8Array(await body.arrayBuffer()),
    type: body.headers.get('content-type') ?? '',
  });
  if (response.status === 503) {
    throw new NotTestedError('the service takes no documents now: it has no scanner that answers');
  }
  return response;
}

/** Uploads a file. */
export function upload(
  context: CaseContext,
  file: TestFile,
  metadata?: object,
  declarationId?: string,
): Promise<HttpResponse> {
  return uploadParts(context, partsOf(file, metadata), declarationId);
}
