// Writes a key and its certificates as a PKCS#12 file (RFC 7292). Node.js encrypts the key (PBES2 with AES-256); the
// certificates are public, and not encrypted.
import { createHash, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { ContentInfo } from '@peculiar/asn1-cms';
import {
  AuthenticatedSafe,
  CertBag,
  MacData,
  PFX,
  PKCS12Attribute,
  SafeBag,
  SafeContents,
} from '@peculiar/asn1-pfx';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';

const DATA = '1.2.840.113549.1.7.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';
const SHA_256 = '2.16.840.1.101.3.4.2.1';

const MAC_ITERATIONS = 2048;

/** The input block of SHA-256, in bytes. */
const BLOCK_BYTES = 64;

/**
 * Writes the file.
 *
 * @param chain base64 DER, the certificate of the key first
 */
export function writePkcs12(
  key: KeyObject,
  chain: readonly string[],
  { name, password }: { name: string; password: string },
): Buffer {
  const keyId = createHash('sha1').update(name).digest();
  const attributes = () => [
    makeAttribute(LOCAL_KEY_ID, AsnConvert.serialize(new OctetString(keyId))),
  ];
  const encryptedKey = key.export({
    format: 'der',
    type: 'pkcs8',
    cipher: 'aes-256-cbc',
    passphrase: password,
  });
  const keyBag = new SafeBag({
    bagId: SHROUDED_KEY_BAG,
    bagValue: toArrayBuffer(encryptedKey),
    bagAttributes: attributes(),
  });
  const certificateBags = chain.map((certificate, index) => {
    const der = toArrayBuffer(Buffer.from(certificate, 'base64'));
    const bag = new CertBag({
      certId: X509_CERTIFICATE,
      certValue: AsnConvert.serialize(new OctetString(der)),
    });
    return new SafeBag({
      bagId: CERTIFICATE_BAG,
      bagValue: AsnConvert.serialize(bag),
      ...(index === 0 && { bagAttributes: attributes() }),
    });
  });
  const safe = AsnConvert.serialize(
    new AuthenticatedSafe([
      toContentInfo(AsnConvert.serialize(new SafeContents(certificateBags))),
      toContentInfo(AsnConvert.serialize(new SafeContents([keyBag]))),
    ]),
  );
  const pfx = new PFX({
    version: 3,
    authSafe: toContentInfo(safe),
    macData: makeMac(safe, password),
  });
  return Buffer.from(AsnConvert.serialize(pfx));
}

function makeAttribute(id: string, value: ArrayBuffer): PKCS12Attribute {
  // Its constructor ignores what it is given.
  const attribute = new PKCS12Attribute();
  attribute.attrId = id;
  attribute.attrValues = [value];
  return attribute;
}

function toContentInfo(content: ArrayBuffer): ContentInfo {
  return new ContentInfo({
    contentType: DATA,
    content: AsnConvert.serialize(new OctetString(content)),
  });
}

function makeMac(content: ArrayBuffer, password: string): MacData {
  const salt = randomBytes(16);
  const macData = new MacData({ macSalt: new OctetString(salt), iterations: MAC_ITERATIONS });
  macData.mac.digestAlgorithm = new AlgorithmIdentifier({ algorithm: SHA_256, parameters: null });
  const digest = createHmac('sha256', macKey(password, salt)).update(Buffer.from(content)).digest();
  macData.mac.digest = new OctetString(digest);
  return macData;
}

/** The key of the MAC (RFC 7292, appendix B.2, with ID 3). It is as long as one digest, so one round is sufficient. */
function macKey(password: string, salt: Buffer): Buffer {
  const bmp = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const blocks = [Buffer.alloc(BLOCK_BYTES, 3), fill(salt), fill(bmp)];
  let key = createHash('sha256').update(Buffer.concat(blocks)).digest();
  for (let round = 1; round < MAC_ITERATIONS; round++) {
    key = createHash('sha256').update(key).digest();
  }
  return key;
}

/** Repeats bytes to a multiple of the block. */
function fill(bytes: Buffer): Buffer {
  return Buffer.alloc(BLOCK_BYTES * Math.ceil(bytes.length / BLOCK_BYTES), bytes);
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
