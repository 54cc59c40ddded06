// What a trial provider is started with, and what it has once it runs.

/** The options of `startTrialProvider`. */
export type TrialProviderOptions = {
  /** The port on this machine; 0: any free port. */
  port: number;
  /** The folder of its keys, of the credentials, and of the settings for `landfall serve`. */
  data: string;
  /** The address of the service for which it issues tokens, without a slash at the end. */
  serviceUrl: string;
  scopePrefix: string;
};

/** A trial provider that runs. */
export type TrialProvider = {
  /** The issuer of tokens for clients. */
  issuer: string;
  /** The issuer at which people sign in to the console. */
  signInIssuer: string;
  /** The file with the settings of the service, for a shell. */
  settingsFile: string;
  /** The files of the credentials, by identity. */
  credentials: { name: string; organisation: string; scopes: readonly string[]; file: string }[];
  persons: { name: string; role: string; organisation: string }[];
  close(): Promise<void>;
};
