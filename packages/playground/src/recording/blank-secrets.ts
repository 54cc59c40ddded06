// Replaces secrets in recorded exchanges: tokens, grants and keys would let a reader of the record act as the client.

/** Replaces a secret. */
const BLANKED = '***';

const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization', 'set-cookie']);

/** Members of forms and of JSON whose value is a secret. */
const secretMember = /^(?:[a-z_]*token|assertion|client_secret|private_key|privateKey|password)$/;
const inForm = /((?:^|&)(\w+)=)[^&]*/g;
const inJson = /("(\w+)"\s*:\s*)"(?:[^"\\]|\\[\s\S]?)*"?/g;
const anyJwt = /\beyJ[\w-]{8}[\w.-]*/g;

/** The value of a header; of a token only its scheme remains. */
export function blankHeader(name: string, value: string): string {
  if (!SECRET_HEADERS.has(name.toLowerCase())) return value;
  const [scheme = '', ...rest] = value.split(' ');
  return rest.length === 0 ? BLANKED : `${scheme} ${BLANKED}`;
}

/** A text without the values of secret members. */
export function blankSecrets(text: string): string {
  return text
    .replaceAll(inForm, (all, before: string, name: string) =>
      secretMember.test(name) ? before + BLANKED : all,
    )
    .replaceAll(inJson, (all, before: string, name: string) =>
      secretMember.test(name) ? `${before}"${BLANKED}"` : all,
    )
    .replaceAll(anyJwt, BLANKED);
}
