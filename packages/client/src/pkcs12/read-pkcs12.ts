// Reads the key and the certificates of a PKCS#12 file (RFC 7292).
import { toBase64 } from '../der/base64.js';
import { type DerElement, OCTET_STRING, readElement, readElements, toHex } from '../der/der.js';
import { writePem } from '../der/pem.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { decrypt, readAlgorithm, readInner, unsupported } from './decrypt.js';
import {
  CERTIFICATE_BAG,
  DATA,
  ENCRYPTED_DATA,
  KEY_BAG,
  LOCAL_KEY_ID,
  SHROUDED_KEY_BAG,
  X509_CERTIFICATE,
} from './object-identifiers.js';
import { orderChain } from './order-chain.js';
import { verifyMac } from './verify-mac.js';

/** Members of `Credentials`. */
export type KeyAndCertificates = {
  /** The private key: PEM. */
  key: string;
  /** The certificate of the key, then its chain: base64 DER. */
  certificates: string[];
};

/**
 * Reads a PKCS#12 file (`.p12`, `.pfx`) whose contents are encrypted with AES. Its MAC is verified.
 *
 * @throws ConfigurationError when the password is wrong, or the file is damaged or has an old encryption
 * @example
 * const landfall = new Landfall({
 *   baseUrl: 'https://customs.example',
 *   credentials: {
 *     kind: 'foreign',
 *     clientId: 'Example Forwarding',
 *     ...(await readPkcs12(await readFile('eseal.p12'), password)),
 *     identityProvider: { url: 'https://idp.example' },
 *   },
 * });
 */
export async function readPkcs12(file: Uint8Array, password: string): Promise<KeyAndCertificates> {
  const [, authSafe, macData] = readElements(readElement(new Uint8Array(file)).value);
  if (macData === undefined) throw new ConfigurationError('the PKCS#12 file has no MAC');
  const content = await openContent(authSafe, password);
  await verifyMac(macData, content, password);
  const bags: Bag[] = [];
  for (const safe of readElements(readElement(content).value)) {
    const contents = readElement(await openContent(safe, password));
    bags.push(...readElements(contents.value).map(readBag));
  }
  const [key, ...otherKeys] = bags.filter(({ id }) => id === KEY_BAG || id === SHROUDED_KEY_BAG);
  if (key === undefined) throw new ConfigurationError('the PKCS#12 file has no private key');
  if (otherKeys.length > 0) {
    throw new ConfigurationError('the PKCS#12 file has several private keys: export one alone');
  }
  const certificates = bags.filter(({ id }) => id === CERTIFICATE_BAG);
  const leaf = certificates.findIndex(({ keyId }) => keyId !== undefined && keyId === key.keyId);
  const ders = certificates.map(readCertificateBag);
  return {
    key: writePem('PRIVATE KEY', await readKey(key, password)),
    certificates: orderChain(ders, ders[leaf]).map(toBase64),
  };
}

/** The content of a ContentInfo, decrypted. */
async function openContent(
  info: DerElement | undefined,
  password: string,
): Promise<Uint8Array<ArrayBuffer>> {
  // Its form is that of an AlgorithmIdentifier: what it is, and that.
  const { identifier, parameters } = readAlgorithm(info);
  const inner = readInner(parameters);
  if (identifier === DATA && inner.tag === OCTET_STRING) return inner.value;
  if (identifier !== ENCRYPTED_DATA) throw unsupported();
  const [, encryptedInfo] = readElements(inner.value);
  const [, algorithm, encrypted] = readElements(encryptedInfo?.value ?? new Uint8Array());
  if (encrypted === undefined) throw unsupported();
  return decrypt(algorithm, encrypted.value, password);
}

/** An element of a safe: a key or a certificate; the two of a pair have the same keyId. */
type Bag = { id: string; value: DerElement; keyId: string | undefined };

function readBag({ value: bag }: DerElement): Bag {
  const [id, value, attributes] = readElements(bag);
  const keyId = readElements(attributes?.value ?? new Uint8Array())
    .map(readAlgorithm)
    .find(({ identifier }) => identifier === LOCAL_KEY_ID);
  return {
    id: toHex(id?.value ?? new Uint8Array()),
    value: readInner(value),
    keyId: keyId?.parameters && toHex(keyId.parameters.value),
  };
}

async function readKey({ id, value }: Bag, password: string): Promise<Uint8Array> {
  if (id === KEY_BAG) return value.bytes;
  const [algorithm, encrypted] = readElements(value.value);
  return decrypt(algorithm, encrypted?.value ?? new Uint8Array(), password);
}

function readCertificateBag({ value }: Bag): Uint8Array<ArrayBuffer> {
  const { identifier, parameters } = readAlgorithm(value);
  if (identifier !== X509_CERTIFICATE) throw unsupported();
  return readInner(parameters).value;
}
