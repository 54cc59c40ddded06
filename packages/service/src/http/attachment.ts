// The name under which a response is saved.

/** `Content-Disposition` with the name twice (RFC 6266): in ASCII for old clients, and as it is. */
export function attachmentOf(fileName: string): string {
  const ascii = fileName.replaceAll(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
