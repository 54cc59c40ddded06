// The files of this folder agree with each other, with the documents and with the service. Starts no container.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { relayNames, relays } from '../packages/contract/dist/index.js';
import { makeApp } from '../packages/service/dist/app.js';
import { options, readConfig } from '../packages/service/dist/config.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { makeBackupMeasures } from '../packages/service/dist/monitoring/backup-measures.js';
import { makeClockCheck } from '../packages/service/dist/production/check-clock.js';
import { makeCommitCheck } from '../packages/service/dist/production/check-commits.js';
import { relayMetrics } from '../packages/service/dist/relay/relay-metrics.js';
import { testDatabases } from '../packages/service/dist/testing/databases.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');

const compose = parse(read('deploy/compose/compose.yaml'), { merge: true });
const manifests = ['database', 'backup', 'migrate', 'verify-audit', 'landfall']
  .flatMap((name) => parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)))
  .map((document) => document.toJS());
const kustomization = parse(read('deploy/kubernetes/kustomization.yaml'));
const groups = parse(read('deploy/monitoring/rules.yaml')).groups;
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json'));

const settings = Object.fromEntries(
  kustomization.configMapGenerator[0].literals.map((literal) => literal.split(/=(.*)/s)),
);
const podsOf = (kind) => manifests.find((each) => each.kind === kind).spec.template.spec;
const weekly = manifests.find(({ kind }) => kind === 'CronJob').spec;
const pods = [podsOf('Deployment'), podsOf('Job'), weekly.jobTemplate.spec.template.spec];
const containers = pods.flatMap((pod) => pod.containers);
const servers = ['landfall1', 'landfall2'].map((name) => compose.services[name]);

/** The variables in the texts of compose, as the example has them. */
const composeVariables = parseEnv(read('deploy/compose/.env.example'));

describe('settings', () => {
  const known = new Set(Object.values(options).map(({ variable }) => variable));
  const environments = {
    compose: compose.services.landfall1.environment,
    kubernetes: {
      ...settings,
      ...Object.fromEntries(containers.flatMap(({ env }) => env).map(({ name }) => [name, ''])),
    },
    image: Object.fromEntries(
      [...read('deploy/Dockerfile').matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    ),
  };

  for (const [name, environment] of Object.entries(environments)) {
    test(`of ${name} are those of the service`, () => {
      const ofOthers = ['NODE_ENV', 'NODE_OPTIONS', 'PGPASSWORD'];
      const unknown = Object.keys(environment).filter(
        (variable) => !known.has(variable) && !ofOthers.includes(variable),
      );
      assert.deepEqual(unknown, []);
      for (const option of Object.values(options)) {
        const text = environment[option.variable]?.replace(
          /\$\{(\w+):\?\}/g,
          (_, name) => composeVariables[name],
        );
        if (text) option.read(text);
      }
    });
  }

  for (const name of ['compose', 'kubernetes']) {
    test(`of ${name} have what production requires, and commits that a standby confirms`, () => {
      const required = Object.values(options).filter(({ description }) =>
        description.endsWith('; required'),
      );
      assert.equal(required.length, 4);
      for (const { variable } of required) assert(environments[name][variable], variable);
      assert.equal(environments[name].LANDFALL_DURABILITY, 'replicated');
    });
  }

  test('of Patroni and HAProxy are those of the failover scenario', () => {
    const { dcs } = parse(read('deploy/compose/patroni.yaml')).bootstrap;
    const scenario = read('faults/failover/patroni.js');
    const { parameters, ...others } = { ...dcs, ...dcs.postgresql };
    const names = ['ttl', 'loop_wait', 'retry_timeout', 'primary_start_timeout'];
    const times = ['wal_sender_timeout', 'wal_receiver_timeout', 'wal_receiver_status_interval'];
    for (const name of [...names, ...times]) {
      const [, value] = new RegExp(`\\b${name}: '?(\\w+)`).exec(scenario) ?? [];
      assert.equal(String(others[name] ?? parameters[name]), value, name);
    }
    const configuration = read('deploy/compose/haproxy.cfg');
    const [, directives] = /^defaults\n([\s\S]*?)^`,/m.exec(read('faults/failover/haproxy.js'));
    const lines = directives.split('\n').filter((line) => !line.includes('${'));
    assert(lines.length > 15);
    for (const line of lines) assert(configuration.includes(line), line);
  });

  test('of Patroni and CloudNativePG make a standby confirm commits', () => {
    const { dcs } = parse(read('deploy/compose/patroni.yaml')).bootstrap;
    assert(dcs.synchronous_mode && dcs.synchronous_mode_strict);
    const { postgresql } = manifests.find(({ kind }) => kind === 'Cluster').spec;
    assert.equal(postgresql.synchronous.dataDurability, 'required');
  });

  test('of PostgreSQL archive its log everywhere as the guide does, under the stanza of the configuration', () => {
    const settings = new Map(
      [...read('deploy/backup/postgresql.conf').matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(
        ([, name, value]) => [name, value],
      ),
    );
    const { parameters } = parse(read('deploy/compose/patroni.yaml')).bootstrap.dcs.postgresql;
    for (const name of ['archive_mode', 'archive_command', 'archive_timeout']) {
      const value = String(parameters[name]).replace(/^(\d+)s$/, '$1');
      assert.equal(value, settings.get(name), name);
    }
    const [, stanza] = /--stanza=(\w+)/.exec(settings.get('archive_command')) ?? [];
    assert.match(read('deploy/backup/pgbackrest.conf'), new RegExp(`^\\[${stanza}\\]$`, 'm'));
    const [store, schedule] = ['ObjectStore', 'ScheduledBackup'].map((kind) =>
      manifests.find((each) => each.kind === kind),
    );
    const cluster = manifests.find(({ kind }) => kind === 'Cluster');
    const [plugin] = cluster.spec.plugins;
    assert.equal(plugin.parameters.barmanObjectName, store.metadata.name);
    assert.equal(schedule.spec.cluster.name, cluster.metadata.name);
    assert.equal(schedule.spec.pluginConfiguration.name, plugin.name);
  });

  test('of compose keep backups outside of the data of the database, encrypted with a key of yours', () => {
    for (const name of ['db1', 'db2', 'db3']) {
      const { environment, volumes } = compose.services[name];
      assert.match(environment.PGBACKREST_REPO1_CIPHER_PASS, /^\$\{BACKUP_KEY:\?\}$/);
      assert(volumes.includes('backups:/var/lib/pgbackrest'), name);
    }
    assert.match(read('deploy/backup/pgbackrest.conf'), /^repo1-cipher-type=aes-256-cbc$/m);
  });

  test('are drained for longer than the load balancer takes to notice, and then given 20 s', () => {
    const drain = options.drainTime.default;
    const [, interval, failures] = /inter (\d+)s .*fall (\d+)/.exec(
      read('deploy/compose/haproxy.cfg'),
    );
    assert(drain > Number(interval) * Number(failures));
    const grace = compose.services.landfall1.stop_grace_period;
    assert(Number.parseInt(grace, 10) >= drain + 20, grace);
    const [server] = pods;
    const { periodSeconds, failureThreshold } = server.containers[0].readinessProbe;
    const configured = Number(settings.LANDFALL_DRAIN_TIME);
    assert(configured > periodSeconds * failureThreshold);
    assert(server.terminationGracePeriodSeconds >= configured + 20);
  });
});

describe('containers', () => {
  test('have images with a version', () => {
    const composed = Object.values(compose.services).map(({ image }) => image);
    const built = ['deploy/Dockerfile', 'deploy/compose/database.Dockerfile'].flatMap((path) =>
      [...read(path).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    );
    const cluster = manifests.find(({ kind }) => kind === 'Cluster').spec.imageName;
    const { version } = JSON.parse(read('packages/cli/package.json'));
    for (const image of [...composed, ...built, cluster]) assert.match(image, /:v?\d+[\w.-]*$/);
    assert.equal(compose.services.landfall1.image, `landfall:${version}`);
    assert.equal(kustomization.images[0].newTag, version);
  });

  test('cannot write to their file system or gain privileges', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      assert.equal(service.read_only, true, name);
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    }
    for (const { securityContext } of containers) {
      assert.equal(securityContext.readOnlyRootFilesystem, true);
      assert.equal(securityContext.allowPrivilegeEscalation, false);
      assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] });
    }
    const [, user] = /^USER (\d+):/m.exec(read('deploy/Dockerfile'));
    for (const { securityContext } of pods) {
      assert.equal(securityContext.runAsNonRoot, true);
      assert.equal(String(securityContext.runAsUser), user);
    }
  });

  test('of the service begin when the database is migrated, and share the keys', () => {
    assert.deepEqual(compose.services.migrate.command, ['admin', 'migrate']);
    assert.deepEqual(podsOf('Job').containers[0].args, ['admin', 'migrate']);
    for (const server of servers) {
      assert.equal(server.depends_on.migrate.condition, 'service_completed_successfully');
      assert.deepEqual(server.volumes, ['keys:/var/lib/landfall']);
    }
    const claim = manifests.find(({ kind }) => kind === 'PersistentVolumeClaim');
    assert.deepEqual(claim.spec.accessModes, ['ReadWriteMany']);
    assert.match(read('deploy/Dockerfile'), /LANDFALL_KEYS=\/var\/lib\/landfall\/keys$/m);
  });

  test('verify the audit trail every week', () => {
    assert.match(weekly.schedule, /^\d+ \d+ \* \* [0-6]$/);
    const [{ args }] = weekly.jobTemplate.spec.template.spec.containers;
    assert.deepEqual(args, ['admin', 'audit', 'verify']);
  });

  test('of the service are replaced one by one, each when another one is ready', () => {
    const { strategy, template } = manifests.find(({ kind }) => kind === 'Deployment').spec;
    assert.deepEqual(strategy.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
    const [{ readinessProbe, startupProbe }] = template.spec.containers;
    assert.equal(readinessProbe.httpGet.path, '/readyz');
    assert.equal(startupProbe.httpGet.path, '/livez');
    const drainTime = /LANDFALL_DRAIN_TIME=(\d+)/.exec(
      read('deploy/kubernetes/kustomization.yaml'),
    );
    const { terminationGracePeriodSeconds } = template.spec;
    assert(terminationGracePeriodSeconds >= Number(drainTime[1]) + 15);
  });
});

describe('networks', () => {
  const networksOf = ({ networks }) => (Array.isArray(networks) ? networks : Object.keys(networks));
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');

  test('of etcd, which asks for no password, have nobody else but Patroni', () => {
    const inside = Object.entries(compose.services)
      .filter(([, service]) => networksOf(service).includes('consensus'))
      .map(([name]) => name);
    assert.deepEqual(inside.sort(), ['db1', 'db2', 'db3', 'etcd1', 'etcd2', 'etcd3']);
    assert.equal(compose.networks.consensus.internal, true);
    const hosts = parse(read('deploy/compose/patroni.yaml')).etcd.hosts;
    for (const name of ['etcd1', 'etcd2', 'etcd3']) {
      const { command, networks } = compose.services[name];
      const { ipv4_address: address } = networks.consensus;
      const listening = command.filter((word) => /^--listen-(client|peer)-urls=/.test(word));
      assert.deepEqual(
        listening.map((word) => new URL(word.split('=')[1]).hostname),
        [address, address],
      );
      assert(hosts.includes(`${address}:2379`));
      assert(command.some((word) => word.includes(`${name}=http://${address}:2380`)));
    }
  });

  test('reach no interface that changes something without a password of its own', () => {
    for (const name of ['db1', 'db2', 'db3']) {
      const { environment } = compose.services[name];
      assert.equal(environment.PATRONI_RESTAPI_USERNAME, 'patroni');
      assert.match(environment.PATRONI_RESTAPI_PASSWORD, /^\$\{PATRONI_PASSWORD:\?\}$/);
    }
    const configuration = read('deploy/compose/nats.conf');
    const [, clients] = /user: landfall, password: (\S+) \}/.exec(configuration) ?? [];
    const [, routes] = /user: cluster, password: (\S+) \}/.exec(configuration) ?? [];
    assert(clients && routes && clients !== routes, configuration);
    const { NATS_ROUTES } = compose.services.nats1.environment;
    assert.equal(NATS_ROUTES.match(/\$\{NATS_CLUSTER_PASSWORD\}/g).length, 3);
    const passwords = Object.keys(composeVariables).filter((name) => name.endsWith('_PASSWORD'));
    const given = passwords.filter((name) =>
      Object.values(compose.services).some(({ environment }) =>
        Object.values(environment ?? {}).some((text) => text.includes(name)),
      ),
    );
    assert.deepEqual(given, passwords);
  });

  test('of Kubernetes have rules for who connects to each pod, and what each connects to', () => {
    const labelled = manifests
      .filter(({ kind }) => ['Deployment', 'Job', 'CronJob'].includes(kind))
      .map(({ spec }) => (spec.jobTemplate?.spec ?? spec).template.metadata.labels)
      .map((labels) => labels['app.kubernetes.io/name']);
    const covered = policies.map(
      ({ spec }) => spec.podSelector.matchLabels['app.kubernetes.io/name'],
    );
    assert.deepEqual(covered.sort(), labelled.sort());
    for (const { spec } of policies) {
      assert.deepEqual(spec.policyTypes, ['Ingress', 'Egress']);
      for (const { from, ports } of spec.ingress ?? []) assert(from?.length > 0 && ports);
      for (const { to, ports } of spec.egress) assert(to?.length > 0 && ports);
    }
  });

  test('of Kubernetes let only the proxies connect that the service trusts', () => {
    assert.equal(settings.LANDFALL_TRUSTED_PROXIES, '1');
    const { ingress } = policies.find(({ metadata }) => metadata.name === 'landfall').spec;
    const http = ingress.filter(({ ports }) => ports.some(({ port }) => port === 'http'));
    assert.deepEqual(http, [
      {
        ports: [{ port: 'http' }],
        from: [{ namespaceSelector: { matchLabels: { 'landfall-http': 'send' } } }],
      },
    ]);
    assert.match(read('deploy/README.md'), /landfall-http=send/);
  });
});

describe('files', () => {
  test('that compose reads are committed, apart from secrets, which are not', () => {
    const ignored = read('deploy/compose/.gitignore').trim().split('\n');
    assert.deepEqual(ignored, ['.env', 'secrets/']);
    for (const { file } of Object.values(compose.configs)) {
      assert(existsSync(join(root, 'deploy/compose', file)), file);
    }
    for (const { file } of Object.values(compose.secrets)) assert.match(file, /^secrets\//);
    const readme = read('deploy/README.md');
    for (const { file } of Object.values(compose.secrets)) assert(readme.includes(file), file);
  });

  test('of variables have those of compose, and no passwords', () => {
    const example = read('deploy/compose/.env.example');
    const given = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)];
    const used = read('deploy/compose/compose.yaml').matchAll(/\$\{([A-Z_]+)/g);
    assert.deepEqual(
      given.map(([, name]) => name).sort(),
      [...new Set([...used].map(([, name]) => name))].sort(),
    );
    for (const [, name, value] of given) if (name.endsWith('PASSWORD')) assert.equal(value, '');
  });

  test('of kustomize are all listed', () => {
    const present = readdirSync(join(root, 'deploy/kubernetes'));
    assert.deepEqual([...kustomization.resources, 'kustomization.yaml'].sort(), present.sort());
  });

  test('link to files and headings that exist', () => {
    const links = [
      ...rules.map(({ annotations }) => {
        const prefix = '{{ with $externalLabels.documentation }}{{ . }}/{{ end }}';
        assert(annotations.runbook_url.startsWith(prefix), annotations.runbook_url);
        return annotations.runbook_url.slice(prefix.length);
      }),
      ...[...read('deploy/README.md').matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]) =>
        link.startsWith('#') ? `deploy/README.md${link}` : normalize(join('deploy', link)),
      ),
    ];
    for (const link of links) {
      const [path, heading] = link.split('#');
      assert(existsSync(join(root, path)), link);
      if (heading !== undefined) assert(headingsOf(path).includes(heading), link);
    }
  });

  test('have the alerts of the guide as the guide has them', () => {
    const guide = read('docs/guide/high-availability.md');
    const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => parse(text));
    const alerts = blocks.flat().filter((each) => each?.alert);
    assert(alerts.length >= 2);
    for (const { alert, expr } of alerts) {
      assert.equal(rules.find((rule) => rule.alert === alert)?.expr, expr, alert);
    }
  });
});

describe('relays', () => {
  const named = (expressions) => new Set(expressions.flatMap(metricsOf));
  const alerted = named(rules.map(({ expr }) => expr));
  const shown = named(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));
  const operating = read('docs/guide/operate.md');
  const nats = read('docs/guide/nats.md');
  for (const name of relayNames) {
    test(`${name} have alerts, a place on the dashboard, and are in the guides`, () => {
      for (const metric of Object.values(relayMetrics[name])) {
        assert(alerted.has(metric), `no alert of deploy/monitoring/rules.yaml has ${metric}`);
        assert(shown.has(metric), `deploy/monitoring/dashboard.json lacks ${metric}`);
        assert(operating.includes(`\`${metric}\``), `docs/guide/operate.md lacks ${metric}`);
      }
      const { stream } = relays[name];
      assert(nats.includes(`| \`${stream}\` |`), `docs/guide/nats.md lacks ${stream}`);
    });
  }
});

describe('metrics and addresses', () => {
  let database;
  let folder;
  let service;
  let address;
  before(async () => {
    const [embedded] = await testDatabases();
    database = await embedded.open();
    folder = await mkdtemp(join(tmpdir(), 'landfall-deploy-'));
    service = await makeApp({
      // The relay has its metrics also while NATS does not respond.
      config: readConfig({
        LANDFALL_LOG_LEVEL: 'silent',
        NATS_URL: 'nats://127.0.0.1:1',
        LANDFALL_RELAY: 'all',
      }),
      database,
      baseUrl: 'http://localhost:1',
      keysFolder: join(folder, 'keys'),
      identityProvider: { issuer: 'http://localhost:1', jwksUrl: 'http://localhost:1/jwks' },
      metrics: {},
    });
    address = await service.app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await service.app.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('of rules and dashboard are metrics that the service has', async () => {
    const text = await (await fetch(`${address}/metrics`)).text();
    const served = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
    // What only production on PostgreSQL has; no connection is opened for it.
    const url = 'postgresql://localhost:1/none';
    const postgresql = openPostgresql(url, { standbys: url });
    const ofConditions = [makeClockCheck(postgresql), makeCommitCheck(postgresql)].map(
      ({ measure }) => measure.name,
    );
    const measured = [...postgresql.measures, ...makeBackupMeasures(postgresql)];
    const ofProduction = [...measured.map(({ name }) => name), ...ofConditions];
    await postgresql.close();
    const known = new Set([...served, ...ofProduction, 'up', ...PATRONI, BARMAN]);
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const names = new Set(expressions.flatMap(metricsOf));
    // Without which a server is not ready: somebody must be told.
    const alerted = new Set(rules.flatMap(({ expr }) => metricsOf(expr)));
    assert.deepEqual(
      ofConditions.filter((name) => !alerted.has(name)),
      [],
    );
    assert(names.size > 15);
    assert.deepEqual(
      [...names].filter((name) => !known.has(name)),
      [],
    );
  });

  test('of health checks respond', async () => {
    const paths = [
      ...[...read('deploy/compose/haproxy.cfg').matchAll(/httpchk GET (\S+)/g)].map(
        ([, path]) => path,
      ),
      ...containers.flatMap(({ startupProbe, livenessProbe, readinessProbe }) =>
        [startupProbe, livenessProbe, readinessProbe].flatMap((probe) => probe?.httpGet.path ?? []),
      ),
    ];
    assert.equal(paths.length, 5);
    for (const path of paths) assert.equal((await fetch(`${address}${path}`)).status, 200, path);
  });

  test('the health check of the image passes while the service is alive, and fails without it', async () => {
    const check = (port) =>
      promisify(execFile)(process.execPath, [join(root, 'deploy/check-health.js')], {
        env: { ...process.env, PORT: port },
      });
    await check(new URL(address).port);
    await assert.rejects(check('1'), { code: 1 });
  });
});

/** A metric of the plugin of CloudNativePG for Barman. */
const BARMAN = 'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp';

/** Metrics of Patroni 3.0. */
const PATRONI = [
  'patroni_postgres_running',
  'patroni_primary',
  'patroni_replica',
  'patroni_sync_standby',
  'patroni_xlog_location',
  'patroni_xlog_replayed_location',
];

/** The names of the metrics in an expression of Prometheus: words that are no function, keyword, label or text. */
function metricsOf(expression) {
  const names = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replace(/\b(?:by|on)\s*\([^)]*\)/g, ' ')
    .matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/g);
  return [...names]
    .map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''))
    .filter((name) => !['and', 'or', 'by', 'on'].includes(name));
}

/** The addresses of the headings of a document. */
function headingsOf(path) {
  return [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
