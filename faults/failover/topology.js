// The whole topology: three etcd members, three PostgreSQL servers under Patroni, two Landfall servers behind HAProxy, and
// an identity provider.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startIdentityProvider } from '../../bench/goods.js';
import { until } from '../until.js';
import { isEtcdHealthy, startEtcd } from './etcd.js';
import { HAPROXY_PORT, startHaproxy } from './haproxy.js';
import { Machines } from './machines.js';
import { POSTGRESQL_PORT, readMembers, startPatroni, switchOver } from './patroni.js';

const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/landfall.js', import.meta.url));
const LANDFALL_PORT = 8090;
const METRICS_PORT = 8091;

const numbered = (name, count) =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

/** Everything, not yet started: on one machine each, or on addresses of this machine if it is not isolated. */
export class Topology {
  #folder;
  #machines;
  #provider;
  /** Which processes a machine has when it runs. @type {Map<object, () => void>} */
  #roles = new Map();

  /**
   * @param {string} folder for the data and the logs
   * @param {boolean} isolated whether each machine is a network namespace
   */
  constructor(folder, isolated) {
    chmodSync(folder, 0o755);
    this.#folder = folder;
    this.#machines = new Machines(folder, isolated);
    const add = (name, count) => numbered(name, count).map((each) => this.#machines.add(each));
    this.etcd = add('etcd', 3);
    this.databases = add('db', 3);
    this.servers = add('app', 2);
    [this.balancer] = add('lb', 1);
    for (const one of this.etcd) this.#roles.set(one, () => startEtcd(one, this.etcd));
    for (const one of this.databases) this.#roles.set(one, () => startPatroni(one, this.etcd));
    for (const one of this.servers) this.#roles.set(one, () => this.#startServer(one));
  }

  get isolated() {
    return this.#machines.isolated;
  }

  /** The identity provider, whose keys the servers read. */
  get provider() {
    return this.#provider;
  }

  /** Where clients reach the service. */
  get origin() {
    return { host: this.balancer.address, port: HAPROXY_PORT, ca: readFileSync(this.#certificate) };
  }

  /** The address of the database with all of its servers, for a role. */
  databaseUrl(role) {
    return `${this.#anyServerUrl(role)}?target_session_attrs=read-write`;
  }

  #anyServerUrl(role) {
    const hosts = this.databases.map(({ address }) => `${address}:${POSTGRESQL_PORT}`);
    return `postgresql://${role}@${hosts}/landfall`;
  }

  get #certificate() {
    return join(this.#folder, 'certificate.pem');
  }

  get #environment() {
    return {
      DATABASE_URL: this.databaseUrl('landfall'),
      LANDFALL_READ_DATABASE_URL: this.#anyServerUrl('landfall'),
      LANDFALL_DURABILITY: 'replicated',
      LANDFALL_BASE_URL: `https://${this.balancer.address}:${HAPROXY_PORT}`,
      LANDFALL_IDP_ISSUER: this.#provider.issuer,
      LANDFALL_IDP_JWKS_URL: `${this.#provider.issuer}/jwks`,
      LANDFALL_KEYS: join(this.#folder, 'keys'),
      LANDFALL_TOKEN_LIFETIME: '86400',
      LANDFALL_TRUSTED_PROXIES: this.balancer.address,
      NODE_EXTRA_CA_CERTS: this.#certificate,
      PORT: String(LANDFALL_PORT),
      LANDFALL_METRICS_PORT: String(METRICS_PORT),
    };
  }

  /** Starts everything and waits until it is whole. @param {(line: string) => void} report */
  async start(report) {
    this.#makeCertificate();
    const tls = { cert: readFileSync(this.#certificate), key: readFileSync(this.#certificate) };
    this.#provider = await startIdentityProvider({ host: this.#machines.hostAddress, tls });
    report('starting three etcd members');
    for (const one of this.etcd) this.startOn(one);
    await until(() => every(this.etcd, isEtcdHealthy), 'etcd is healthy');
    report('starting three PostgreSQL servers under Patroni');
    for (const one of this.databases) this.startOn(one);
    await until(() => this.#hasStandbys(), 'Patroni has a primary and two standbys', 300);
    await this.#createDatabase();
    const [first] = this.servers;
    first.run(['node', COMMAND, 'admin', 'migrate'], {
      environment: this.#environment,
      asRoot: true,
    });
    report('starting two Landfall servers behind HAProxy');
    // The first makes the signing keys that the second reads.
    for (const one of this.servers) {
      this.startOn(one);
      await until(() => isReady(one), `${one.name} is ready`);
    }
    startHaproxy(this.balancer, this.servers, LANDFALL_PORT, this.#certificate);
    await this.untilWhole();
  }

  /** How many reads the standbys took, of the servers since their start. */
  async countStandbyReads() {
    const counts = await Promise.all(
      this.servers.map(async ({ address }) => {
        const response = await fetch(`http://${address}:${METRICS_PORT}/metrics`);
        const lines = (await response.text()).matchAll(/^landfall_standby_reads_total\S* (\d+)$/gm);
        return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Starts the processes of a machine, again after they were killed. */
  startOn(machine) {
    this.#roles.get(machine)?.();
  }

  /** Waits until every part runs, a standby confirms commits, and both servers are ready. */
  async untilWhole() {
    await until(() => every(this.etcd, isEtcdHealthy), 'etcd is healthy');
    await until(() => this.#hasStandbys(), 'Patroni has a primary and two standbys', 300);
    await until(() => every(this.servers, isReady), 'both servers are ready');
  }

  /** The machine of the primary. */
  async findPrimary() {
    return (await this.#findRoles()).leader;
  }

  /** The machine of the standby that confirms commits. */
  async findStandby() {
    return (await this.#findRoles()).standby;
  }

  /** Makes the synchronous standby the primary. */
  async switchOver() {
    const { leader, standby } = await this.#findRoles();
    await switchOver(leader, leader.name, standby.name);
    return standby;
  }

  async #findRoles() {
    const members = await this.#readMembers();
    const find = (role) => {
      const { name } = members.find((member) => member.role === role) ?? {};
      return this.databases.find((machine) => machine.name === name);
    };
    return { leader: find('leader'), standby: find('sync_standby') };
  }

  async #readMembers() {
    return Promise.any(this.databases.map(readMembers));
  }

  async #hasStandbys() {
    const members = await this.#readMembers();
    const { leader, standby } = await this.#findRoles();
    const running = members.filter(({ state }) => ['running', 'streaming'].includes(state));
    const lags = members.filter(({ role, lag }) => role !== 'leader' && lag !== 0);
    return running.length === this.databases.length && lags.length === 0 && leader && standby;
  }

  async #createDatabase() {
    const { address } = await this.findPrimary();
    const client = new pg.Client({
      connectionString: `postgresql://postgres@${address}:${POSTGRESQL_PORT}/postgres`,
    });
    await client.connect();
    await client.query('create role landfall login');
    await client.query('create database landfall owner landfall');
    await client.end();
  }

  #startServer(machine) {
    machine.start('landfall', ['node', COMMAND, 'serve', '--host', machine.address], {
      environment: this.#environment,
      asRoot: true,
    });
  }

  /** One certificate for HAProxy and the identity provider. */
  #makeCertificate() {
    const file = this.#certificate;
    const key = `${file}.key`;
    const addresses = [this.balancer.address, this.#machines.hostAddress];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...['-days', '2', '-subj', '/CN=landfall', '-keyout', key, '-out', file],
        ...['-addext', `subjectAltName=${addresses.map((address) => `IP:${address}`)}`],
      ],
      { stdio: 'ignore' },
    );
    writeFileSync(file, readFileSync(file, 'utf8') + readFileSync(key, 'utf8'));
  }

  /** Ends and removes everything; may be called again. */
  async remove() {
    this.#provider?.stop();
    await this.#machines.remove();
  }
}

async function every(machines, check) {
  const results = await Promise.all(machines.map(check));
  return results.every(Boolean);
}

async function isReady({ address }) {
  const response = await fetch(`http://${address}:${LANDFALL_PORT}/readyz`, {
    signal: AbortSignal.timeout(3000),
  });
  await response.body?.cancel();
  return response.status === 200;
}
