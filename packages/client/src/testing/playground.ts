// A playground for the tests of a file, and clients of it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type PlaygroundOptions, startPlayground } from '@landfall/playground';
import { Landfall, type LandfallOptions } from '../landfall.js';
import { type CredentialsFile, readCredentials } from '../node/read-credentials.js';

/** A running playground. */
export type TestPlayground = {
  baseUrl: string;
  idpUrl: string;
  /** The folder with its files. */
  dataFolder: string;
  /** The credentials of an identity. */
  credentials(name: string): Promise<CredentialsFile>;
  /** A client that acts as an identity, such as `carrier`. */
  client(name: string, options?: Partial<LandfallOptions>): Promise<Landfall>;
  /** Starts it again with other options, on the same data and another port. */
  restart(options: PlaygroundOptions): Promise<TestPlayground>;
};

/** Starts a playground on an embedded database; it ends after the tests of the file. */
export async function startTestPlayground(
  options: PlaygroundOptions = {},
): Promise<TestPlayground> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'landfall-client-'));
  let running = await startIn(dataFolder, options);
  after(async () => {
    await running.close();
    await rm(dataFolder, { recursive: true, force: true });
  });
  const restart = async (changed: PlaygroundOptions) => {
    await running.close();
    running = await startIn(dataFolder, { ...options, ...changed });
    return { ...running, restart };
  };
  return { ...running, restart };
}

async function startIn(dataFolder: string, options: PlaygroundOptions) {
  const playground = await startPlayground({ data: dataFolder, ...options });
  const { baseUrl, idpUrl } = playground;
  const credentials = (name: string) =>
    readCredentials(join(dataFolder, 'credentials', `${name}.json`));
  return {
    baseUrl,
    idpUrl,
    dataFolder,
    credentials,
    close: () => playground.close(),
    client: async (name: string, changed: Partial<LandfallOptions> = {}) =>
      new Landfall({ ...(await credentials(name)), ...changed }),
  };
}
