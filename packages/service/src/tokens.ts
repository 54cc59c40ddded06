// The rules for tokens and certificates, for an identity provider and for an examination without a server.
export { customsIssuer, exchangeAudiences } from './access/addresses.js';
export {
  allowsSealing,
  type Certificate,
  certificateKey,
  domesticOrganisation,
  isAuthority,
  isStrong,
  mayBeUsedFor,
  mayIssue,
  organizationIdentifier,
  otherPurpose,
  readCertificate,
  readPemCertificate,
  subjectOrganisation,
  toBase64,
} from './access/certificate.js';
export { isCanonicalBase64Url, splitToken } from './access/compact-token.js';
export { examineToken, type Finding, type TokenKnowledge } from './access/examine-token.js';
export { OAuthRefusalError, quoteValue } from './access/oauth-refusal.js';
export { isOrganisationIdentifier } from './access/organisation-identifier.js';
export { recogniseToken, type TokenKind } from './access/recognise-token.js';
export { fitsAlgorithm, type GrantAlgorithm, verifySignature } from './access/verify-signature.js';
export { TRIAL_CLAIM } from './trial-claim.js';
