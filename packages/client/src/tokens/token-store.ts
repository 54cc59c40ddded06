// Where tokens are kept between runs of a program.

/** A token and when it expires, in milliseconds since 1970. */
export type StoredToken = { token: string; expiresAt: number };

/** Keeps tokens by a key that names service, identity and scope. A store that fails is like an empty one. */
export type TokenStore = {
  read(key: string): Promise<StoredToken | undefined>;
  write(key: string, token: StoredToken): Promise<void>;
};
