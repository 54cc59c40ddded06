// The addresses that control the playground itself.

/** Where they begin. */
export const CONTROL_PATH = '/playground';

/** Whether a request is for one of them. */
export function isControlPath(url: string): boolean {
  return url === CONTROL_PATH || url.startsWith(`${CONTROL_PATH}/`);
}
