// Runs a command that signs: it gets the bytes on standard input and writes the signature to standard output.
import { spawn } from 'node:child_process';
import { ConfigurationError } from '../errors/landfall-error.js';

/** More of what a command reports is not shown, in characters. */
const MAX_REPORT = 300;

/** No signature is longer, in bytes. */
const MAX_SIGNATURE_BYTES = 64 * 1024;

/** A command, how it is named in errors, and its limits. */
export type Signer = {
  program: string;
  words: readonly string[];
  /** Where it runs. */
  folder: string;
  /** What the error says of it. */
  name: string;
  /** How long it may take, in milliseconds; default 30,000. */
  withinMs?: number | undefined;
  /** How long it gets to end itself after that, in milliseconds; default 2,000. */
  graceMs?: number | undefined;
};

/**
 * Signs. The command and all that it starts are one process group, which ends with the time limit: by SIGTERM, and after
 * a grace by SIGKILL. It ends with this process too.
 *
 * @throws ConfigurationError when it fails, takes too long, or writes nothing or more than 64 KiB
 */
export async function runSigner(
  { program, words, folder, name, withinMs = 30_000, graceMs = 2_000 }: Signer,
  data: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  // Windows has no process groups.
  const hasGroup = process.platform !== 'win32';
  const child = spawn(program, words, { cwd: folder, stdio: 'pipe', detached: hasGroup });
  const kill = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      if (hasGroup) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // All of it has ended.
    }
  };
  const killNow = () => kill('SIGKILL');
  const timers: NodeJS.Timeout[] = [];
  const output: Buffer[] = [];
  let bytes = 0;
  let report = '';
  process.once('exit', killNow);
  try {
    const reason = await new Promise<string | undefined>((done) => {
      const late = `it took longer than ${withinMs / 1000} s`;
      let isLate = false;
      const expire = () => {
        isLate = true;
        kill('SIGTERM');
        timers.push(setTimeout(done, graceMs, late));
      };
      timers.push(setTimeout(expire, withinMs));
      child.once('error', (error) => done(error.message));
      child.once('close', (code, signal) => {
        if (isLate) done(late);
        else done(code === 0 ? undefined : `it ended with ${code ?? signal}`);
      });
      child.stdout.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes <= MAX_SIGNATURE_BYTES) output.push(part);
        else done(`it wrote more than ${MAX_SIGNATURE_BYTES / 1024} KiB`);
      });
      child.stderr.setEncoding('utf8').on('data', (part: string) => {
        if (report.length < MAX_REPORT) report += part;
      });
      // A command that ends before it has read everything says why with its code.
      child.stdin.on('error', () => undefined);
      child.stdin.end(data);
    });
    if (reason === undefined && bytes > 0) return new Uint8Array(Buffer.concat(output));
    const said = report.trim().slice(0, MAX_REPORT);
    throw new ConfigurationError(
      `${name} (${program}) failed: ${reason ?? 'it wrote no signature to standard output'}${said === '' ? '' : `: ${said}`}`,
    );
  } finally {
    for (const timer of timers) clearTimeout(timer);
    process.removeListener('exit', killNow);
    // What it started may live on, and hold its output open.
    killNow();
    for (const stream of child.stdio) stream?.destroy();
  }
}
