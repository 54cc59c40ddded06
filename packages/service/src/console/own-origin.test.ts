// Which pages are those of the console: every scheme and port of its host, and hosts that look like it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIsOwnOrigin } from './own-origin.js';

const hosts = ['customs.example', 'customs.example:8443', 'localhost:8080', '127.0.0.1:8080'];
const schemes = ['http', 'https'];

for (const scheme of schemes) {
  for (const host of hosts) {
    const baseUrl = `${scheme}://${host}`;
    const isOwn = makeIsOwnOrigin(baseUrl);

    test(`${baseUrl}: its own origin, and that of the host to which a request is sent`, () => {
      assert.ok(isOwn(baseUrl, host));
      assert.ok(isOwn(baseUrl, 'other.example'));
      for (const sentTo of hosts) assert.ok(isOwn(`${scheme}://${sentTo}`, sentTo), sentTo);
    });

    test(`${baseUrl}: pages without https are none of a service with https`, () => {
      for (const sentTo of hosts) {
        assert.equal(isOwn(`http://${sentTo}`, sentTo), scheme === 'http', sentTo);
        // A proxy with https may be in front of a service on this machine.
        assert.ok(isOwn(`https://${sentTo}`, sentTo), sentTo);
      }
    });

    test(`${baseUrl}: other origins`, () => {
      const others = [
        ...[undefined, '', 'null', '*', host, `${baseUrl}/`, `${baseUrl}.evil.example`],
        ...[`${scheme}://evil.example`, `${scheme}://${host}@evil.example`, `${baseUrl}1`],
        ...[`${scheme}://user@${host}`, `${baseUrl}/console/`, `ftp://${host}`, `file://${host}`],
        ...[`${baseUrl} ${baseUrl}`, `${baseUrl},${baseUrl}`, baseUrl.toUpperCase()],
      ];
      for (const origin of others) assert.ok(!isOwn(origin, host), origin);
    });
  }
}
