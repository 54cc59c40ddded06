// The key under which the stored profiles are cached.
export const PROFILES_KEY = ['routing-profiles'] as const;
