// A process that runs many commands, without starting Node.js and loading the modules for each.
import { Readable } from 'node:stream';
import { runProgram } from '../program/run-program.js';
import { landfallScript, type Run, testEnvironment } from './run-landfall.js';

/** A command to run; `id` identifies its response. */
export type CommandRequest = {
  id: number;
  words: readonly string[];
  input: string;
  environment: NodeJS.ProcessEnv;
};

/** The result of a command. */
export type CommandResponse = { id: number; run: Run };

let previous: Promise<void> = Promise.resolve();

// The parent sends nothing else.
process.on('message', (request: CommandRequest) => {
  // Commands run one at a time, because each uses the streams and environment of the process.
  previous = previous.then(async () => {
    const response: CommandResponse = { id: request.id, run: await run(request) };
    process.send?.(response);
  });
});

async function run({ words, input, environment }: CommandRequest): Promise<Run> {
  process.env = { ...testEnvironment, ...environment };
  process.argv = [process.execPath, landfallScript, ...words];
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    configurable: true,
  });
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  await runProgram(words);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Captures the output of a stream; the returned function ends the capture and returns the text. */
function capture(stream: NodeJS.WriteStream): () => string {
  let text = '';
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const written = rest.at(-1);
    if (typeof written === 'function') written();
    return true;
  };
  return () => {
    stream.write = write;
    return text;
  };
}
