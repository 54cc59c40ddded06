// The object identifiers of PKCS#12 (RFC 7292) and PBES2 (RFC 8018), as the hexadecimal of their DER values.

export const DATA = '2a864886f70d010701';
export const ENCRYPTED_DATA = '2a864886f70d010706';

export const KEY_BAG = '2a864886f70d010c0a0101';
export const SHROUDED_KEY_BAG = '2a864886f70d010c0a0102';
export const CERTIFICATE_BAG = '2a864886f70d010c0a0103';
export const X509_CERTIFICATE = '2a864886f70d01091601';
export const LOCAL_KEY_ID = '2a864886f70d010915';

export const PBES2 = '2a864886f70d01050d';
export const PBKDF2 = '2a864886f70d01050c';

/** The older encryptions of PKCS#12, with RC2, RC4 and Triple DES, begin so. */
export const PKCS12_PBE = '2a864886f70d010c01';

/** The hash functions of PBKDF2 (HMAC), as WebCrypto names them. */
export const pseudoRandomFunctions: Record<string, string> = {
  '2a864886f70d0207': 'SHA-1',
  '2a864886f70d0209': 'SHA-256',
  '2a864886f70d020a': 'SHA-384',
  '2a864886f70d020b': 'SHA-512',
};

/** The ciphers of PBES2 by their key length in bits: AES in CBC mode. */
export const aesKeyLengths: Record<string, number> = {
  '608648016503040102': 128,
  '608648016503040116': 192,
  '60864801650304012a': 256,
};

/** The hash functions of the MAC, with the length of their blocks in bytes. */
export const macDigests: Record<string, { hash: string; blockLength: number }> = {
  '2b0e03021a': { hash: 'SHA-1', blockLength: 64 },
  '608648016503040201': { hash: 'SHA-256', blockLength: 64 },
  '608648016503040202': { hash: 'SHA-384', blockLength: 128 },
  '608648016503040203': { hash: 'SHA-512', blockLength: 128 },
};
