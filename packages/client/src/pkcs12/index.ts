// The public interface of @landfall/client/pkcs12: keys and certificates in encrypted files.
export { decryptPem } from './decrypt-pem.js';
export { type KeyAndCertificates, readPkcs12 } from './read-pkcs12.js';
