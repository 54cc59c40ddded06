// Chains of eSeals made by other software: which are accepted, and which are refused.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  CertificateMaker,
  type Made,
  opensslMissing,
} from '../../../service/dist/testing/openssl-chain.js';
import {
  goodGrant,
  type Running,
  sendGrant,
  startAccess,
  type UnsignedGrant,
} from '../../../service/dist/testing/running-access.js';

const NO_KEY_CERT_SIGN = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature\n';
const NOT_AN_AUTHORITY = 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,keyCertSign\n';
const AUTHORITY_SEAL = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature\n';
const ENCIPHERMENT = 'basicConstraints=CA:FALSE\nkeyUsage=critical,keyEncipherment\n';
const NO_ROOM_BELOW =
  'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign\n';
const UNKNOWN_CRITICAL = 'basicConstraints=CA:FALSE\n1.2.3.4=critical,DER:0500\n';
const rsa = (bits: number) => ['-newkey', `rsa:${bits}`];

describe('chains of eSeals', { skip: opensslMissing }, () => {
  const make = new CertificateMaker();
  let running: Running;
  let root: Made;
  let issuer: Made;
  let seal: Made;

  before(async () => {
    root = make.root('Root');
    issuer = make.authority('Issuer', root);
    seal = make.seal('SEAL', issuer);
    running = await startAccess({ trustedIssuers: [root.pem] });
  });
  after(async () => {
    await running?.close();
    make.remove();
  });

  function grantOf(leaf: Made, ...above: Made[]): UnsignedGrant {
    const grant = goodGrant(running.credentials('express'), running.clock());
    grant.claims.scope = 'customs:eu/test';
    grant.key = leaf.key;
    grant.header.x5c = [leaf, ...above].map(({ x5c }) => x5c);
    return grant;
  }

  async function assertTaken(grant: UnsignedGrant): Promise<void> {
    const { status, body } = await sendGrant(running, grant);
    assert.equal(status, 200, String(body.error_description));
  }

  async function assertRefused(grant: UnsignedGrant, code: string, why: RegExp): Promise<void> {
    const { body } = await sendGrant(running, grant);
    const description = String(body.error_description);
    assert.equal(description.slice(0, 6), code, description);
    assert.match(description, why);
  }

  test('a complete chain is accepted, with or without the trusted root at its end', async () => {
    await assertTaken(grantOf(seal, issuer));
    await assertTaken(grantOf(seal, issuer, root));
  });

  test('white space in a member of x5c is ignored', async () => {
    const grant = grantOf(seal, issuer);
    const broken = (text: string, end: string) =>
      `${(text.match(/.{1,64}/g) ?? []).join(end)}${end}`;
    grant.header.x5c = [broken(seal.x5c, '\r\n'), ` ${broken(issuer.x5c, '\n')}\t`];
    await assertTaken(grant);
  });

  test('a complete chain of RSA certificates is accepted, with each RSA algorithm', async () => {
    const rsaIssuer = make.authority('RSA Issuer', root, { key: rsa(3072), digest: 'sha384' });
    const rsaSeal = make.seal('RSASEAL', rsaIssuer, { key: rsa(2048) });
    for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']) {
      const grant = grantOf(rsaSeal, rsaIssuer);
      grant.header.alg = alg;
      await assertTaken(grant);
    }
  });

  test('seals on the other curves are accepted with their algorithm', async () => {
    const curves: [string, string[]][] = [
      ['ES384', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
      ['ES512', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521']],
      ['EdDSA', ['-newkey', 'ed25519']],
    ];
    for (const [alg, key] of curves) {
      const grant = grantOf(make.seal(alg, issuer, { key }), issuer);
      grant.header.alg = alg;
      await assertTaken(grant);
    }
  });

  test('a chain without its intermediate is refused', async () => {
    await assertRefused(grantOf(seal), 'MP-120', /entire chain/);
    await assertRefused(grantOf(seal, root), 'MP-120', /was issued by/);
  });

  test('a chain in another order is refused', async () => {
    await assertRefused(grantOf(seal, root, issuer), 'MP-120', /was issued by/);
    const grant = grantOf(issuer, seal, root);
    grant.key = seal.key;
    await assertRefused(grant, 'MP-120', /not an end entity/);
  });

  test('a chain with a certificate twice is refused', async () => {
    await assertRefused(grantOf(seal, seal, issuer), 'MP-120', /the next is/);
    await assertRefused(grantOf(seal, issuer, issuer), 'MP-120', /the next is/);
  });

  test('a self-signed seal is refused', async () => {
    const self = make.seal('SELF', undefined);
    await assertRefused(grantOf(self, self), 'MP-120', /not a trusted issuer/);
    await assertRefused(grantOf(self, issuer), 'MP-120', /the next is/);
  });

  test('a chain to an untrusted root is refused, even if it has the name of a trusted one', async () => {
    const otherRoot = make.root('Other Root');
    const otherIssuer = make.authority('Other Issuer', otherRoot);
    const otherSeal = make.seal('OTHER', otherIssuer);
    await assertRefused(grantOf(otherSeal, otherIssuer, otherRoot), 'MP-120', /not a trusted/);
    const namesake = make.root('Namesake', { subject: '/C=DE/O=Trust/CN=Root' });
    const itsIssuer = make.authority('Its Issuer', namesake);
    const itsSeal = make.seal('ITS', itsIssuer);
    await assertRefused(grantOf(itsSeal, itsIssuer), 'MP-120', /not a trusted/);
    await assertRefused(grantOf(itsSeal, itsIssuer, root), 'MP-120', /is not signed by/);
  });

  test('an issuer with the right name but another key is refused', async () => {
    const namesake = make.authority('Issuer Namesake', root, {
      subject: '/C=DE/O=Trust/CN=Issuer',
    });
    await assertRefused(grantOf(seal, namesake), 'MP-120', /is not signed by/);
  });

  test('a seal that is a certificate authority is refused', async () => {
    const leaf = make.seal('AUTHORITY', issuer, { extensions: AUTHORITY_SEAL });
    await assertRefused(grantOf(leaf, issuer), 'MP-120', /not an end entity/);
  });

  test('an issuer that may not issue is refused', async () => {
    for (const [name, extensions] of [
      ['Cannot Sign', NO_KEY_CERT_SIGN],
      ['No Authority', NOT_AN_AUTHORITY],
      ['Says Nothing', ''],
    ] as const) {
      const false_ = make.authority(name, root, { extensions });
      await assertRefused(grantOf(make.seal('BELOW', false_), false_), 'MP-120', /may not issue/);
    }
    const narrow = make.authority('Narrow', root, { extensions: NO_ROOM_BELOW });
    const below = make.authority('Below', narrow);
    await assertRefused(
      grantOf(make.seal('DEEP', below), below, narrow),
      'MP-120',
      /may not issue/,
    );
    await assertTaken(grantOf(make.seal('SHALLOW', narrow), narrow));
  });

  test('a seal whose key is not for signatures is refused', async () => {
    const leaf = make.seal('ENCIPHER', issuer, { extensions: ENCIPHERMENT });
    await assertRefused(grantOf(leaf, issuer), 'MP-120', /not for signatures/);
  });

  test("a web server's certificate is not an eSeal, nor is one below an issuer for web servers", async () => {
    const extensions = (usage: string) =>
      `basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=${usage}\n`;
    for (const [name, usage] of [
      ['SERVER', 'critical,serverAuth'],
      ['PLAINSERVER', 'serverAuth'],
      ['QWAC', 'serverAuth,clientAuth'],
      ['CODE', 'codeSigning'],
      ['STAMP', 'critical,timeStamping'],
      ['OCSP', 'OCSPSigning'],
      ['STRANGE', '1.2.3.4.5'],
    ] as const) {
      const leaf = make.seal(name, issuer, { extensions: extensions(usage) });
      await assertRefused(grantOf(leaf, issuer), 'MP-120', /extended key usage/);
    }
    for (const [name, usage] of [
      ['CLIENT', 'critical,clientAuth,emailProtection'],
      ['DOCUMENT', '1.3.6.1.5.5.7.3.36'],
      ['ANY', 'anyExtendedKeyUsage'],
    ] as const) {
      const leaf = make.seal(name, issuer, { extensions: extensions(usage) });
      await assertTaken(grantOf(leaf, issuer));
    }
    const webIssuer = make.authority('Web Issuer', root, {
      extensions:
        'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nextendedKeyUsage=serverAuth\n',
    });
    const below = make.seal('BELOWWEB', webIssuer);
    await assertRefused(grantOf(below, webIssuer), 'MP-120', /Web Issuer.*extended key usage/);
  });

  test('a weak key or signature is refused', async () => {
    const short = make.seal('SHORT', issuer, { key: rsa(1024) });
    const grant = grantOf(short, issuer);
    grant.header.alg = 'RS256';
    // The client library refuses to sign with such a key. Any signature will do, because it is not checked.
    grant.key = make.seal('LONG', issuer, { key: rsa(2048) }).key;
    await assertRefused(grant, 'MP-120', /key that is short/);
    const weak = make.seal('WEAK', issuer, { digest: 'sha1' });
    await assertRefused(grantOf(weak, issuer), 'MP-120', /is not signed by/);
  });

  test('an unknown critical extension is refused', async () => {
    const leaf = make.seal('CRITICAL', issuer, { extensions: UNKNOWN_CRITICAL });
    await assertRefused(grantOf(leaf, issuer), 'MP-120', /critical extension 1\.2\.3\.4/);
  });

  test('a seal that names no organisation is refused', async () => {
    const leaf = make.seal('NAMELESS', issuer, { subject: '/C=DE/O=Nameless' });
    await assertRefused(grantOf(leaf, issuer), 'MP-120', /no organizationIdentifier/);
  });

  test('a seal whose organisation is not one line of text is refused', async () => {
    const broken = make.seal('LINE', issuer, {
      subject: '/C=DE/organizationIdentifier=NTRDE-\u0001',
    });
    await assertRefused(grantOf(broken, issuer), 'MP-120', /organizationIdentifier/);
  });

  test('a domestic certificate may name its organisation by the serial number of its subject', async () => {
    const domestic = (number: string) => {
      const subject = `/C=NO/O=Domestic/serialNumber=${number}/CN=Domestic`;
      const grant = grantOf(make.seal(`NO${number}`, issuer, { subject }), issuer);
      return {
        ...grant,
        claims: { ...grant.claims, iss: 'playground-carrier', scope: 'customs:movement/entry' },
      };
    };
    await assertTaken(domestic('310000019'));
    await assertRefused(domestic('310000027'), 'MP-122', /0192:310000027/);
  });

  test('a seal or an issuer that has expired is refused', async () => {
    const leaf = make.seal('EXPIRED', issuer, { days: 1 });
    const shortLived = make.authority('Expired Issuer', root, { days: 1 });
    const below = make.seal('OUTLIVES', shortLived);
    running.clock.moveOn(2 * 24 * 3600);
    await assertRefused(grantOf(leaf, issuer), 'MP-121', /ended on/);
    await assertRefused(grantOf(below, shortLived), 'MP-121', /Expired Issuer.* ended on/);
    running.clock.moveOn(-10 * 24 * 3600);
    await assertRefused(grantOf(leaf, issuer), 'MP-121', /begins on/);
  });
});
