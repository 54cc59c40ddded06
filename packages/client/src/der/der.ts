// Reads and writes DER (X.690), as far as keys and certificates need it.
import { ConfigurationError } from '../errors/landfall-error.js';

/** One element. */
export type DerElement = {
  tag: number;
  /** The bytes of its value. */
  value: Uint8Array<ArrayBuffer>;
  /** All bytes of the element. */
  bytes: Uint8Array<ArrayBuffer>;
};

export const INTEGER = 0x02;
export const OCTET_STRING = 0x04;
export const OBJECT_IDENTIFIER = 0x06;
export const SEQUENCE = 0x30;

/** Reads the elements that follow one another, such as the members of a sequence. */
export function readElements(bytes: Uint8Array<ArrayBuffer>): DerElement[] {
  const elements: DerElement[] = [];
  for (let start = 0; start < bytes.length; ) {
    const element = readElement(bytes.subarray(start));
    elements.push(element);
    start += element.bytes.length;
  }
  return elements;
}

/** Reads the element at the start of the bytes. */
export function readElement(bytes: Uint8Array<ArrayBuffer>): DerElement {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) throw invalid();
  let start = 2;
  let length = first;
  if (first >= 0x80) {
    const size = first & 0x7f;
    // 0x80 is a length that only the end of the value shows: BER and not DER.
    if (size === 0 || size > 4) throw invalid();
    length = 0;
    for (const byte of bytes.subarray(2, 2 + size)) length = length * 256 + byte;
    start += size;
  }
  const end = start + length;
  if (end > bytes.length) throw invalid();
  return { tag, value: bytes.subarray(start, end), bytes: bytes.subarray(0, end) };
}

/** Writes an element. */
export function writeElement(
  tag: number,
  ...parts: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const size = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  const header = [tag, size === 0 ? length : 0x80 + size];
  for (let index = size - 1; index >= 0; index--) header.push((length >> (8 * index)) & 0xff);
  return concat(Uint8Array.from(header), ...parts);
}

/** Puts bytes one after another. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Bytes in hexadecimal: the form in which object identifiers are compared. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function invalid(): ConfigurationError {
  return new ConfigurationError('not valid DER: the file is incomplete or of another kind');
}
