// A JetStream cluster of three NATS servers for one test. Each can be killed, paused and started again with its data.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { findPort } from '../../../playground/dist/find-port.js';
import { until } from './until.js';

const NAMES = ['n1', 'n2', 'n3'];

/** Servers that are running, were killed, or are paused. */
export type OwnNatsCluster = {
  /** The addresses of all, joined by commas. */
  url: string;
  connect(): Promise<NatsConnection>;
  /** The name of the server that leads a stream, or the cluster (`undefined`). */
  leader(stream?: string): Promise<string>;
  kill(name: string): Promise<void>;
  pause(name: string): void;
  resume(name: string): void;
  start(name: string): void;
  /** Ends all and removes their folders. */
  remove(): Promise<void>;
};

/** Starts a cluster on free ports, and waits until it has a leader. */
export async function startNatsCluster(): Promise<OwnNatsCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-nats-cluster-'));
  const members = new Map<string, Member>();
  for (const name of NAMES) {
    const [client, route, monitor] = [await freePort(), await freePort(), await freePort()];
    members.set(name, { client, route: `nats://127.0.0.1:${route}`, monitor });
  }
  const all = [...members.values()];
  const routes = all.map(({ route }) => route).join(',');
  const run = (name: string) => {
    const { client, route, monitor } = members.get(name) ?? assert.fail(name);
    return spawn(
      'nats-server',
      [
        ...['--name', name, '-a', '127.0.0.1', '-p', String(client), '-m', String(monitor)],
        ...['-js', '-sd', join(folder, name)],
        ...['--cluster_name', 'landfall', '--cluster', route, '--routes', routes],
      ],
      { stdio: 'ignore' },
    );
  };
  const children = new Map<string, ChildProcess>(NAMES.map((name) => [name, run(name)]));
  const servers = all.map(({ client }) => `127.0.0.1:${client}`);
  const signal = (name: string, kind: NodeJS.Signals) => children.get(name)?.kill(kind);
  const kill = async (name: string) => {
    const child = children.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const cluster: OwnNatsCluster = {
    url: servers.map((server) => `nats://${server}`).join(','),
    connect: () => connect({ servers, timeout: 1000 }),
    leader: async (stream) => {
      if (stream === undefined) return Promise.any(all.map(readMetaLeader));
      const connection = await cluster.connect();
      try {
        const manager = await jetstreamManager(connection);
        const { cluster: state } = await manager.streams.info(stream);
        return state?.leader ?? '';
      } finally {
        await connection.close();
      }
    },
    kill,
    pause: (name) => signal(name, 'SIGSTOP'),
    resume: (name) => signal(name, 'SIGCONT'),
    start: (name) => void children.set(name, run(name)),
    remove: async () => {
      await Promise.all(NAMES.map(kill));
      await rm(folder, { recursive: true, force: true });
    },
  };
  await until(() => cluster.leader().catch(() => ''));
  return cluster;
}

type Member = { client: number; route: string; monitor: number };

const freePort = () => findPort('127.0.0.1', 0);

/** The server that leads the cluster, according to a member; fails if it does not know one. */
async function readMetaLeader({ monitor }: Member): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${monitor}/jsz`);
  // The cast is true because that is what this address returns.
  const { meta_cluster } = (await response.json()) as { meta_cluster?: { leader?: string } };
  return meta_cluster?.leader || Promise.reject(new Error('there is no leader'));
}
