// `landfall token doctor`: examines a grant or a token offline, rule by rule, and says what to do.
import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { DEFAULT_SCOPE_PREFIX } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { adviceFor } from './doctor-advice.js';
import { type DoctorOptions, gatherKnowledge } from './doctor-knowledge.js';
import { codeOf, UsageError } from './exit.js';
import { dataOption, readAddress } from './identity-options.js';
import { coloursFor, print, tell } from './output.js';
import { conclusion, findingLines, nameOfKind } from './show-findings.js';

/** Adds the verb below `token`. */
export function addTokenDoctor(token: Command): void {
  token
    .command('doctor')
    .description('examine a grant or a token offline: each rule, and what to do where it is broken')
    .argument('[file]', 'what to examine, as a JWT in compact form; - is stdin', '-')
    .addOption(dataOption())
    .addOption(
      new Option(
        '--aud <address>',
        'examine it for the provider or service at this address, not for the playground',
      ).argParser(readAddress),
    )
    .option('--trust <file...>', 'certificates (PEM) of trusted issuers')
    .option('--jwks <file>', 'key set (JSON) of whoever signs such tokens')
    .addOption(
      new Option('--scope-prefix <prefix>', 'what scopes begin with')
        .env('LANDFALL_SCOPE_PREFIX')
        .default(DEFAULT_SCOPE_PREFIX),
    )
    .option('--json', 'print an array of {rule, holds, code, detail, advice} and nothing else')
    .addHelpText('after', examples)
    .action(examineToken);
}

const examples = `
What it is, it tells by itself: a grant for the identity provider, the identity provider's token, or a customs
token. It is held against the playground in the data folder, or with --aud against another provider or service.
What cannot be told offline stays open (?): holds is null in JSON. Exit 0: nothing is broken; 1: something is.
Whether a certificate was withdrawn is not looked up, neither here nor by the playground's identity provider.

Examples:
  $ landfall token doctor grant.jwt
  $ landfall token --as carrier --raw | landfall token doctor
  $ landfall token doctor grant.jwt --aud https://idp.example/ --trust issuers.pem`;

async function examineToken(file: string, options: DoctorOptions & { json?: true }): Promise<void> {
  const token = await readToken(file);
  // Loaded here, because the other verbs start faster without the server.
  const { examineOffline } = await import('@landfall/service');
  const knowledge = await gatherKnowledge(token, options);
  const { kind, findings } = await examineOffline(token, knowledge, new Date());
  const advised = findings.map((finding) => ({
    ...finding,
    advice: adviceFor(kind, finding),
  }));
  if (options.json) print(JSON.stringify(advised, null, 2));
  else {
    const colours = coloursFor();
    print(colours.bold(nameOfKind(kind)));
    for (const line of findingLines(advised, colours)) print(line);
    tell(conclusion(kind, advised));
  }
  if (advised.some(({ holds }) => holds === false)) process.exitCode = 1;
}

async function readToken(file: string): Promise<string> {
  let text: string;
  try {
    text = await (file === '-' ? readStream(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read ${file} (${codeOf(error)})`);
  }
  const token = text.trim().replace(/^Bearer +/i, '');
  if (token === '') throw new UsageError(`there is nothing in ${file === '-' ? 'stdin' : file}`);
  return token;
}
