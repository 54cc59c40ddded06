// The names of the service in tokens, made from its address.

/** The issuer of customs tokens. */
export function customsIssuer(baseUrl: string): string {
  return `${baseUrl}/api/access`;
}

/** The audiences of tokens that can be exchanged here. */
export function exchangeAudiences(baseUrl: string): string[] {
  return [
    baseUrl,
    `${baseUrl}/`,
    customsIssuer(baseUrl),
    `${baseUrl}/api/access/external/oauth/token`,
  ];
}
