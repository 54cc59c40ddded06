// The requestId under which a line of a dataset is lodged: the same for the same line, so that it is lodged once.
import { createHash } from 'node:crypto';
import type { DatasetMovement } from '@landfall/contract';

/** The namespace of these ids, as RFC 9562 (5.5) asks for one. */
const NAMESPACE = Buffer.from('4f7f7d1b0a8c4d36a3f4b0f6f2f8a6e1', 'hex');

/**
 * The UUID of version 5 (RFC 9562, 5.5) of what a line says.
 *
 * @example
 * const line = { identity: 'carrier', mode: 'road', level: 'transport', message: {} } as const;
 * requestIdOf(line) === requestIdOf({ ...line }); // true
 */
export function requestIdOf({ identity, mode, level, message }: DatasetMovement): string {
  const name = JSON.stringify([identity, mode, level, message]);
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest();
  // The version and the variant are in the bytes 6 and 8.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex', 0, 16);
  return [0, 8, 12, 16, 20]
    .map((from, index, starts) => hex.slice(from, starts[index + 1]))
    .join('-');
}
