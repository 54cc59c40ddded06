// What customs tokens name, made from where the service is reached.

/** The issuer of customs tokens. */
export function customsIssuer(baseUrl: string): string {
  return `${baseUrl}/api/access`;
}

/** Whom a token of the identity provider may be for when it is exchanged here. */
export function exchangeAudiences(baseUrl: string): string[] {
  return [
    baseUrl,
    `${baseUrl}/`,
    customsIssuer(baseUrl),
    `${baseUrl}/api/access/external/oauth/token`,
  ];
}
