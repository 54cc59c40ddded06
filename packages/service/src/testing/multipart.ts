// Bodies of parts (multipart/form-data), byte by byte: a client library would refuse to send many of them.

/** A part. Without `fileName` its Content-Disposition has none. */
export type TestPart = {
  name: string;
  content: string | Uint8Array;
  fileName?: string;
  /** Further lines of its head. */
  headers?: readonly string[];
};

export const BOUNDARY = 'a-boundary';

/** The Content-Type of what `makeMultipart` makes. */
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A body that has these parts. */
export function makeMultipart(parts: readonly TestPart[]): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(({ name, content, fileName, headers = [] }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const head = [`Content-Disposition: form-data; name="${name}"${file}`, ...headers];
    return [
      Buffer.from(`--${BOUNDARY}\r\n${head.join('\r\n')}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** The body of an upload. */
export function makeUpload(
  content: string | Uint8Array,
  fileName = 'invoice.txt',
  metadata: object = { documentType: 'invoice' },
): Buffer<ArrayBuffer> {
  return makeMultipart([
    { name: 'metadata', content: JSON.stringify(metadata) },
    { name: 'file', fileName, content },
  ]);
}
