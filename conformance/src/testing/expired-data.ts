// What a run cannot wait for: a token whose time is over, and a marker that is no longer retained.
import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt, SignJWT } from 'jose';
import { makeMessage } from '../data/goods-items.js';
import { Tokens } from '../http/tokens.js';
import type { Settings } from '../settings/settings.js';
import type { ServiceProcess } from './service-process.js';

/** A customs token of the presenter that the service signed for a time which is over. */
export async function makeExpiredToken(
  { keys }: ServiceProcess,
  settings: Settings,
): Promise<string> {
  const { presenter } = settings.identities;
  if (presenter === undefined) throw new Error('there is no presenter');
  const claims = decodeJwt(await new Tokens(settings).customsToken(presenter));
  const file = JSON.parse(await readFile(join(keys, 'customs-token.json'), 'utf8'));
  const [{ kid, privateKey }] = file.keys;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...claims, jti: randomUUID(), iat: now - 1000, exp: now - 60 })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .sign(createPrivateKey({ key: privateKey, format: 'jwk' }));
}

/**
 * Publishes two messages, removes them from the stream as retention does, and returns the eventId of the first. Only
 * on PostgreSQL.
 */
export async function makeExpiredMarker(
  service: ServiceProcess,
  settings: Settings,
): Promise<string> {
  const { publisher } = settings.identities;
  if (publisher === undefined) throw new Error('there is no publisher');
  const token = await new Tokens(settings).customsToken(publisher);
  const messages = [makeMessage(), makeMessage(), makeMessage()];
  const response = await fetch(`${settings.baseUrl}/api/declaration/feed/v1/goods-items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
  if (response.status !== 202) throw new Error(`publishing: HTTP ${response.status}`);
  await service.query(`
    with deleted as (
      delete from goods_item_event
      where position < (select max(position) from goods_item_event)
      returning *
    ),
    state as (
      update feed_state set removed_position = last.position, removed_id = last.id
      from (select position, id from deleted order by position desc limit 1) last
      where kind = 6
    )
    insert into goods_item_expired (owner, position, id, declaration, number, topic, digest)
    select owner, position, id, declaration, number, topic, decode('00', 'hex') from deleted`);
  const [first] = messages;
  return first?.metadata.eventId ?? '';
}
