// HAProxy in front of the servers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const HAPROXY_PORT = 8443;

/**
 * Starts HAProxy.
 *
 * @param machine where it runs
 * @param {{ name: string, address: string }[]} servers
 * @param {number} port of the servers
 * @param {string} certificate file with the certificate and its key
 */
export function startHaproxy(machine, servers, port, certificate) {
  const list = servers
    .map(({ name, address }) => `  server ${name} ${address}:${port} check`)
    .join('\n');
  const file = join(machine.folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout tunnel 1h
  retries 3
  option redispatch
  option srvtcpka
  srvtcpka-idle 5s
  srvtcpka-intvl 2s
  srvtcpka-cnt 3
  default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1 tcp-ut 5s
frontend https
  bind ${machine.address}:${HAPROXY_PORT} ssl crt ${certificate}
  option forwardfor
  use_backend ready if { nbsrv(ready) gt 0 }
  default_backend alive
backend ready
  option httpchk GET /readyz
${list}
backend alive
  option httpchk GET /livez
  http-error status 503 content-type application/problem+json string '{"type":"about:blank","title":"Service Unavailable","status":503}' hdr Retry-After 1
${list}
`,
  );
  machine.start('haproxy', ['haproxy', '-db', '-f', file]);
}
