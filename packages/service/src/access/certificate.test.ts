// A certificate with a changed octet is read or refused, and never makes its reader throw.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KeyUsageFlags } from '@peculiar/x509';
import { type Running, startAccess } from '../testing/running-access.js';
import {
  domesticOrganisation,
  isAuthority,
  mayBeUsedFor,
  mayIssue,
  organizationIdentifier,
  readCertificate,
  subjectOrganisation,
} from './certificate.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

test('a certificate with one changed octet never makes its reader throw', () => {
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
