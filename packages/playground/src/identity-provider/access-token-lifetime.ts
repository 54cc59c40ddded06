// The lifetime of a token of the playground's identity provider.

/** In seconds. It is short, because the token is exchanged at once. */
export const ACCESS_TOKEN_LIFETIME = 120;
