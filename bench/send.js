// The requests of scripts that measure: what fails ends the script with the response, because what follows would measure
// something else.

/**
 * @param {number} port of a server on this machine
 * @param {string} path
 * @param {RequestInit & { duplex?: 'half' }} [init]
 * @returns {Promise<Response>} a successful one
 */
export async function send(port, path, init = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  if (response.ok) return response;
  throw new Error(`${init.method ?? 'GET'} ${path}: ${response.status} ${await response.text()}`);
}
