// Reads the private key of a PKCS#12 file (RFC 7292). Node.js decrypts the key; certificates are not read.
import 'reflect-metadata';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ContentInfo } from '@peculiar/asn1-cms';
import { AuthenticatedSafe, PFX, SafeContents } from '@peculiar/asn1-pfx';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';

const DATA = '1.2.840.113549.1.7.1';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';

/**
 * The key of a file, as every usual program writes it: in a part that is not encrypted as a whole, encrypted itself.
 *
 * @throws an error of any kind, which may have parts of the file, if there is none, or the password is another one
 */
export function readPkcs12Key(file: Buffer, passphrase: string): KeyObject {
  const { authSafe } = AsnConvert.parse(file, PFX);
  const parts = AsnConvert.parse(contentOf(authSafe), AuthenticatedSafe);
  for (const part of parts) {
    // Another part is encrypted, which is usual for certificates alone.
    if (part.contentType !== DATA) continue;
    for (const { bagId, bagValue } of AsnConvert.parse(contentOf(part), SafeContents)) {
      if (bagId !== SHROUDED_KEY_BAG && bagId !== KEY_BAG) continue;
      const key = Buffer.from(bagValue);
      const secret = bagId === KEY_BAG ? {} : { passphrase };
      return createPrivateKey({ key, format: 'der', type: 'pkcs8', ...secret });
    }
  }
  throw new Error('there is no key');
}

function contentOf({ content }: ContentInfo): ArrayBuffer {
  return AsnConvert.parse(content, OctetString).buffer;
}
