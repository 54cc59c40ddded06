// `landfall admin check-provider`: checks an identity provider before a server uses it, with the rules of the exchange.
import type { Finding, ProviderCheck } from '@landfall/service';
import { options as configuration } from '@landfall/service/config';
import { type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, readAddress } from '../../input/options.js';
import { coloursFor, print, printJson, report } from '../../output/output.js';
import { UsageError } from '../../process/exit.js';
import { exitCodes } from '../../process/exit-codes.js';
import { readToken } from '../token/read-token.js';
import { findingLines } from '../token/show-findings.js';

type ProviderOptions = {
  issuer?: string;
  jwksUrl?: string;
  baseUrl?: string;
  scopePrefix: string;
  json?: true;
};

/** Adds the command. */
export function addAdminCheckProvider(admin: Command): void {
  const { identityProviderIssuer, identityProviderKeys, baseUrl, scopePrefix } = configuration;
  const command = onlyReads(admin.command('check-provider'))
    .description('check what an identity provider issues and publishes: a token, or its address')
    .argument('[token]', 'file with a token; - reads stdin; or the address of an issuer', '-')
    .addOption(
      new Option('--issuer <address>', 'the issuer that tokens must name')
        .env(identityProviderIssuer.variable)
        .argParser(readAddress),
    )
    .addOption(
      new Option('--jwks-url <address>', 'the key set; of an address, default: its jwks_uri')
        .env(identityProviderKeys.variable)
        .argParser(readAddress),
    )
    .addOption(
      new Option('--base-url <address>', 'the service that tokens are for')
        .env(baseUrl.variable)
        .argParser(readAddress),
    )
    .addOption(
      new Option('--scope-prefix <prefix>', 'prefix of scopes')
        .env(scopePrefix.variable)
        .default(scopePrefix.default),
    );
  addJsonOption(command).addHelpText('after', examples).action(check);
}

const examples = `
The rules are those of the token exchange, so a token that breaks none is accepted by a server with the same settings,
which are read from the same variables. What is not set is not compared: such a rule is open (?), and in JSON its holds
is null. Of an address it is checked whether discovery, issuer, key set and algorithms fit, and what the console needs to
sign people in. One JSON document: an array of {rule, holds, code, detail, advice}. Each rule is explained in
docs/guide/identity-provider.md. Exit code 0: no broken rule; 1: a rule is broken, also by a response that is something
else; 3: the provider does not respond, or is overloaded.

Examples:
  $ landfall admin check-provider https://idp.example/realms/customs
  $ landfall admin check-provider token.jwt --issuer https://idp.example --jwks-url https://idp.example/jwk`;

/** What the operator of the provider does about a rule that is broken. */
const adviceOf: Readonly<Record<string, string>> = {
  form: 'Issue access tokens as signed JWTs (RFC 9068), not as opaque or encrypted ones.',
  algorithm: 'Sign access tokens with an RSA (2,048 bits or more), EC or Ed25519 key.',
  type: 'Send the access token, not an ID token; its typ must be at+jwt or JWT.',
  signature: 'Name the key set of this issuer, and issue tokens with the kid of a key in it.',
  iss: 'Set LANDFALL_IDP_ISSUER to the issuer that tokens name.',
  aud: 'Add LANDFALL_BASE_URL to the audience of the token, or leave aud out.',
  'not-over': 'Get a new token; compare the clocks if it was issued just now.',
  lifetime: 'Issue tokens that are valid for a day at most; some minutes are enough.',
  client_id: 'Map the id of the client to the claim client_id.',
  consumer:
    'Map the organisation of the client to the claim consumer, an object: {"authority": "iso6523-actorid-upis", "ID": "0192:" and nine digits}.',
  'other-parties':
    'Name other organisations as consumer does, or leave these claims out of access tokens.',
  trial: 'Use a provider of your own, or set LANDFALL_TRIAL=on for a service that is only tried.',
  scope:
    'Put only scopes of Landfall into the token, with the prefix of LANDFALL_SCOPE_PREFIX: with eu/ for a foreign organisation, without it for a domestic one.',
  discovery: 'Check the address of the issuer, or set LANDFALL_IDP_JWKS_URL to its key set.',
  issuer: 'Use the issuer as the provider writes it.',
  LANDFALL_IDP_ISSUER: 'Set LANDFALL_IDP_ISSUER to the issuer as the provider writes it.',
  LANDFALL_IDP_JWKS_URL: 'Set LANDFALL_IDP_JWKS_URL to jwks_uri of the provider.',
  jwks_uri: 'Publish the key set at an address with https.',
  'key-set':
    'Check the address, and whether this machine may reach it: redirects are not followed.',
  algorithms: 'Publish an RSA (2,048 bits or more), EC or Ed25519 key with use sig.',
  keys: 'Give each key a kid of its own, and alg the algorithm that it signs with.',
  'console-sign-in':
    'Only for people who sign in to the console: permit the code flow with PKCE (S256).',
};

async function check(given: string, options: ProviderOptions): Promise<void> {
  // Imported here so that other commands start without loading the server.
  const { checkProviderAddress, checkProviderToken } = await import('@landfall/service');
  const { json, ...settings } = options;
  const acceptsTrials = process.env[configuration.trial.variable] === 'on';
  const isAddress = /^https?:\/\//i.test(given);
  const checked = isAddress
    ? await checkProviderAddress(readIssuer(given), settings)
    : await checkProviderToken(await readToken(given), { ...settings, acceptsTrials }, new Date());
  show(checked, json);
}

function show({ findings, isUnreachable }: ProviderCheck, json: true | undefined): void {
  const advised = findings.map((finding) => ({
    ...finding,
    advice: finding.holds === true ? null : (adviceFor(finding) ?? null),
  }));
  if (json) printJson(advised);
  else {
    for (const line of findingLines(advised, coloursFor())) print(line);
    report(conclusion(findings));
  }
  if (isUnreachable) process.exitCode = exitCodes.UNREACHABLE.code;
  else if (findings.some(({ holds }) => holds === false)) process.exitCode = exitCodes.FAILED.code;
}

/** A rule that is open for lack of a setting needs none. */
function adviceFor({ rule, holds }: Finding): string | undefined {
  return holds === false || rule === 'console-sign-in' || rule === 'discovery'
    ? adviceOf[rule]
    : undefined;
}

function conclusion(findings: readonly Finding[]): string {
  const count = findings.filter(({ holds }) => holds === false).length;
  const open = findings.filter(({ holds }) => holds === null).length;
  const rest = open === 0 ? '' : `; ${open} could not be checked`;
  if (count === 0) return `no rule is broken${rest}`;
  const broken = count === 1 ? '1 rule is broken' : `${count} rules are broken`;
  return `${broken}${rest}: see docs/guide/identity-provider.md`;
}

function readIssuer(given: string): string {
  if (!URL.canParse(given)) throw new UsageError(`${given} is not an address`);
  return readAddress(given);
}
