// How long a token of our own identity provider lives.

/** In seconds: it is there to be exchanged at once. */
export const ACCESS_TOKEN_LIFETIME = 120;
