// A process that runs the command as often as it is sent one: arguments are parsed and errors become exit codes as in
// a process of its own, without starting Node.js and loading the modules each time.
import { Readable } from 'node:stream';
import { tellError } from '../exit.js';
import { makeProgram } from '../program.js';
import { landfallScript, type Run } from './run-landfall.js';

/** What is run, and with which number its end is reported. */
export type CommandRequest = {
  id: number;
  words: readonly string[];
  input: string;
  environment: NodeJS.ProcessEnv;
};

/** How it ended. */
export type CommandResponse = { id: number; run: Run };

let previous: Promise<void> = Promise.resolve();

// The parent sends nothing else.
process.on('message', (request: CommandRequest) => {
  // One after the other, because each has the whole process for itself.
  previous = previous.then(async () => {
    const response: CommandResponse = { id: request.id, run: await run(request) };
    process.send?.(response);
  });
});

async function run({ words, input, environment }: CommandRequest): Promise<Run> {
  process.env = { PATH: process.env.PATH, ...environment };
  process.argv = [process.execPath, landfallScript, ...words];
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    configurable: true,
  });
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  try {
    await makeProgram().parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = tellError(error);
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Keeps what is written to a stream from now on, until it is asked for it. */
function capture(stream: NodeJS.WriteStream): () => string {
  let text = '';
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  return () => {
    stream.write = write;
    return text;
  };
}
