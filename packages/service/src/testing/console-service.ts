// Servers with the console whose people sign in at a real provider on this machine, for tests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPort } from '../../../playground/dist/find-port.js';
import { type App, makeApp } from '../app.js';
import { readConfig } from '../config.js';
import { readRoles } from '../console/openid/roles.js';
import type { OpenIdSettings } from '../console/openid/settings.js';
import type { Database } from '../database/database.js';
import { type Accounts, startProvider, type TestProvider } from './openid-provider.js';
import { PersonAgent } from './person-agent.js';

/** The key of the pseudonyms of people. */
export const SUBJECT_KEY = 'a key of the pseudonyms, 32 characters or more';

/** The service that browsers reach at `baseUrl`, with one server or more. */
export class ConsoleService {
  readonly baseUrl: string;
  readonly provider: TestProvider;
  readonly #database: Database;
  readonly #folder: string;
  readonly #environment: Record<string, string>;
  readonly #servers: App[] = [];

  private constructor(
    database: Database,
    baseUrl: string,
    provider: TestProvider,
    folder: string,
    environment: Record<string, string>,
  ) {
    this.#database = database;
    this.baseUrl = baseUrl;
    this.provider = provider;
    this.#folder = folder;
    this.#environment = environment;
  }

  /**
   * Starts the provider and one server.
   *
   * @param database is closed with the service
   * @param environment the configuration of the servers
   * @param readClientSecret gives the secret of the client, which may change
   */
  static async start(
    database: Database,
    accounts: Accounts,
    environment: Record<string, string> = {},
    readClientSecret?: () => Promise<string>,
  ): Promise<ConsoleService> {
    const port = await findPort('localhost', 0);
    const baseUrl = `http://localhost:${port}`;
    const folder = await mkdtemp(join(tmpdir(), 'landfall-console-'));
    const provider = await startProvider(baseUrl, accounts);
    const service = new ConsoleService(database, baseUrl, provider, folder, environment);
    await service.startServer(port, readClientSecret && { ...service.settings, readClientSecret });
    return service;
  }

  get settings(): OpenIdSettings {
    return {
      ...this.provider,
      scope: 'openid profile',
      rolesClaim: 'roles',
      organisationClaim: 'organisation',
      roles: readRoles(
        'officer=authority/registry,authority/routing; gate=movement/entry; reader=declaration.feed; operator=authority/operations',
      ),
      subjectKey: SUBJECT_KEY,
      timeZone: 'Europe/Oslo',
    };
  }

  get servers(): readonly App[] {
    return this.#servers;
  }

  /** Starts a server of the service, behind the address that browsers know; returns its own address. */
  async startServer(port: number, openIdConnect = this.settings): Promise<string> {
    const { issuer } = this.provider;
    const server = await makeApp({
      config: readConfig({ LANDFALL_LOG_LEVEL: 'silent', ...this.#environment }),
      database: this.#database,
      baseUrl: this.baseUrl,
      keysFolder: join(this.#folder, 'keys'),
      identityProvider: { issuer, jwksUrl: `${issuer}/jwks` },
      console: { openIdConnect },
      metrics: {},
    });
    this.#servers.push(server);
    await server.app.listen({ port, host: 'localhost' });
    return `http://localhost:${port}`;
  }

  /** A browser in which somebody has signed in. */
  async signIn(account: string): Promise<PersonAgent> {
    const agent = new PersonAgent(this.baseUrl);
    await agent.signIn(account);
    return agent;
  }

  async close(): Promise<void> {
    for (const { app } of this.#servers) await app.close();
    await this.provider.close();
    await this.#database.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
