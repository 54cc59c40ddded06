// `landfall token doctor`: checks a grant or token offline, rule by rule, with advice.
import { DEFAULT_SCOPE_PREFIX } from '@landfall/contract';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { dataOption, readAddress } from '../../input/options.js';
import { coloursFor, print, report } from '../../output/output.js';
import { missingOption } from './missing-option.js';
import { readToken } from './read-token.js';
import { conclusion, findingLines, nameOfKind } from './show-findings.js';
import { type DoctorOptions, findTrustedSources } from './trusted-sources.js';

/** Adds the command. */
export function addTokenDoctor(token: Command): void {
  onlyReads(token.command('doctor'))
    .description('check a grant or token offline: every rule, and how to fix broken ones')
    .argument('[file]', 'file with the JWT in compact form; - reads stdin', '-')
    .addOption(dataOption())
    .addOption(
      new Option(
        '--aud <address>',
        'check it for the provider or service at this address instead of the playground',
      ).argParser(readAddress),
    )
    .option('--trust <file...>', 'certificates (PEM) of trusted issuers')
    .option('--jwks <file>', 'key set (JSON) of the issuer of such tokens')
    .addOption(
      new Option('--scope-prefix <prefix>', 'prefix of scopes')
        .env('LANDFALL_SCOPE_PREFIX')
        .default(DEFAULT_SCOPE_PREFIX),
    )
    .option('--json', 'print one JSON document: an array of {rule, holds, code, detail, advice}')
    .addHelpText('after', examples)
    .action(examineToken);
}

const examples = `
The token type is detected automatically: a grant for the identity provider, an access token of the identity provider,
or a customs token. It is checked against the playground in the data folder, or with --aud against another provider
or service. Rules that cannot be checked offline are open (?); in JSON their holds is null. Certificate revocation is
not checked, neither here nor by the playground's identity provider. Exit code 0: no broken rule; 1: a rule is broken.

Examples:
  $ landfall token doctor grant.jwt
  $ landfall token create --as carrier --raw | landfall token doctor
  $ landfall token doctor grant.jwt --aud https://idp.example/ --trust issuers.pem`;

async function examineToken(file: string, options: DoctorOptions & { json?: true }): Promise<void> {
  const token = await readToken(file);
  // Imported here so that other commands start without loading the server.
  const { adviceFor, examineOffline } = await import('@landfall/playground');
  const sources = await findTrustedSources(token, options);
  const { kind, findings } = await examineOffline(token, sources, new Date());
  const advised = findings.map((finding) => ({
    ...finding,
    advice: missingOption(finding) ?? adviceFor(kind, finding),
  }));
  if (options.json) print(JSON.stringify(advised, null, 2));
  else {
    const colours = coloursFor();
    print(colours.bold(nameOfKind(kind)));
    for (const line of findingLines(advised, colours)) print(line);
    report(conclusion(kind, advised));
  }
  if (advised.some(({ holds }) => holds === false)) process.exitCode = 1;
}
