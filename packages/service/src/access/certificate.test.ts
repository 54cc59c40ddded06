// A certificate with any octet changed is read or refused: it never throws in its reader.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KeyUsageFlags } from '@peculiar/x509';
import {
  domesticOrganisation,
  isAuthority,
  mayBeUsedFor,
  mayIssue,
  organizationIdentifier,
  readCertificate,
  subjectOrganisation,
} from './certificate.js';
import { type Running, startAccess } from './running-access.test.part.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

test('a certificate of which one octet is changed never breaks its reader', () => {
  const texts = ['carrier', 'express'].map((name) => running.credentials(name).x5c[0] ?? '');
  let readable = 0;
  for (const text of texts) {
    const octets = Buffer.from(text, 'base64');
    for (const [index, octet] of octets.entries()) {
      for (const change of [0x01, 0xff]) {
        const changed = Buffer.from(octets);
        changed[index] = octet ^ change;
        const certificate = readCertificate(changed.toString('base64'));
        if (certificate === undefined) continue;
        readable++;
        isAuthority(certificate);
        mayIssue(certificate, 0);
        mayBeUsedFor(certificate, KeyUsageFlags.digitalSignature);
        domesticOrganisation(certificate);
        organizationIdentifier(certificate);
        subjectOrganisation(certificate);
      }
    }
  }
  assert.ok(readable > 0);
});
