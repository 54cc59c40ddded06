// Files that are no regular files, for tests of what is read: a FIFO without a writer would be waited for without end.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with a file of each kind, which has the name of its kind. */
export type SpecialFiles = { folder: string; remove(): Promise<void> };

export const specialFileKinds = ['fifo', 'folder', 'socket', 'device', 'link'] as const;

/** Why there are none here, or `false`. */
export const whyNoSpecialFiles = process.platform === 'win32' && 'Windows has no such files';

export async function makeSpecialFiles(): Promise<SpecialFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-special-'));
  const path = (kind: (typeof specialFileKinds)[number]) => join(folder, kind);
  execFileSync('mkfifo', ['-m', '600', path('fifo')]);
  await mkdir(path('folder'), { mode: 0o700 });
  await symlink('/dev/zero', path('device'));
  await symlink(path('fifo'), path('link'));
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(path('socket'), resolve));
  return {
    folder,
    remove: async () => {
      await new Promise((resolve) => socket.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
