// Base64 and base64url of bytes, with what every platform has.

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Without padding, as in a JWT (RFC 7515, section 2). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** White space is ignored. Throws a DOMException for what is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (char) => char.charCodeAt(0));
}
