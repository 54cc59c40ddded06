// An officer of the authority in the console, for tests.
import type { TestPlayground } from './playground-client.js';

/** Signs the authority in to the console; returns what its page sends with a change. */
export async function signInAsAuthority({
  playground,
}: TestPlayground): Promise<Record<string, string>> {
  const { baseUrl } = playground;
  const response = await fetch(`${baseUrl}/playground/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity: 'authority' }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const session = await fetch(`${baseUrl}/console/session`, { headers: { cookie } });
  // The cast is true because this is what the console reads.
  const { csrfToken } = (await session.json()) as { csrfToken: string };
  return { cookie, origin: baseUrl, 'landfall-csrf-token': csrfToken };
}
