// Checks the options of a playground before anything is started: what a program gives has no types at run time.
import {
  type Check,
  checkScopesOfKind,
  compileCheck,
  DatasetIdentity,
  organisationKind,
  type PlaygroundIdentity,
  playgroundIdentities,
  type ValidationError,
} from '@landfall/contract';
import { type Config, ConfigError, options as serviceOptions } from '@landfall/service/config';
import { Type } from 'typebox';
import { checkControlSecret } from './control/control-access.js';
import { readHostingOptions } from './hosting/hosting.js';
import { isPlainObject, PlaygroundOptionError, toOptionError } from './option-error.js';
import type { PlaygroundOptions } from './options.js';
import { checkOwnKey } from './own-key.js';
import { checkPublicUrl } from './public-addresses.js';

/** The most that an option may be. */
const largest: Partial<Record<keyof PlaygroundOptions, number>> = {
  maxSpaces: 1000,
  spaceIdleTime: 86_400,
  preparedSpaces: 100,
};

/** Those that may be 0. */
const mayBeNone: ReadonlySet<keyof PlaygroundOptions> = new Set(['preparedSpaces']);

/** The options of the playground itself, and the types of their values. */
const ownOptions: Record<Exclude<keyof PlaygroundOptions, keyof Config>, readonly string[]> = {
  data: ['string'],
  dataset: ['string', 'list'],
  identities: ['list'],
  scenarios: ['list'],
  clock: ['object'],
  onProgress: ['function'],
  maxSpaces: ['number'],
  spaceIdleTime: ['number'],
  preparedSpaces: ['number'],
  publicUrl: ['string', 'list'],
  controlSecret: ['string'],
  hosted: ['boolean', 'object'],
};

/**
 * What a service has at least, in seconds and days. In a playground it may be less, because a test waits until it has
 * passed.
 */
const shortest: Partial<Record<keyof Config, number>> = {
  tokenLifetime: 60,
  feedAccessRetention: 1,
  goodsItemRetention: 1,
  statusRetention: 1,
  signalRetention: 1,
  consignmentRetention: 1,
  unpresentedRetention: 1,
  transportExpiry: 1,
  consignmentExpiry: 1,
  movementClosing: 1,
  messageRetention: 1,
};

const checkIdentity: Check<PlaygroundIdentity> = compileCheck(
  Type.Object(
    {
      ...DatasetIdentity.properties,
      kind: Type.Enum(['domestic', 'foreign']),
      scopes: Type.Index(Type.Required(DatasetIdentity), Type.Literal('scopes')),
      granted: Type.Index(Type.Required(DatasetIdentity), Type.Literal('granted')),
      hasRegisteredKey: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
);

/**
 * Checks all options but the dataset and the scenarios, which are checked where they are read, and the clock.
 *
 * @throws PlaygroundOptionError that names the option and the rule
 */
export function checkOptions(options: PlaygroundOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (Object.hasOwn(ownOptions, name)) {
      // The cast is true because it is one of these names.
      const types = ownOptions[name as keyof typeof ownOptions];
      if (!types.includes(typeOf(value)))
        throw refuse(name, `must be of the type ${types.join(' or ')}`);
      checkLargest(name as keyof typeof ownOptions, value);
    } else if (Object.hasOwn(serviceOptions, name) && name !== 'dataFolder') {
      checkServiceOption(name as keyof typeof serviceOptions, value);
    } else {
      throw refuse(name, 'is no option of a playground');
    }
  }
  if (options.data === '') throw refuse('data', 'must be the path of a folder');
  checkPublicUrl(options.publicUrl ?? []);
  checkControlSecret(options.controlSecret ?? '');
  checkHosted(options);
  checkIdentities(options.identities ?? []);
}

function checkHosted({ hosted, controlSecret = '' }: PlaygroundOptions): void {
  if (hosted === undefined || hosted === false) return;
  readHostingOptions(hosted);
  if (controlSecret === '') {
    throw refuse(
      'hosted',
      'needs controlSecret (LANDFALL_CONTROL_SECRET), with which its operator controls it',
    );
  }
}

function checkLargest(name: keyof typeof ownOptions, value: unknown): void {
  const most = largest[name];
  if (most === undefined) return;
  const least = mayBeNone.has(name) ? 0 : 1;
  const isValid = Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  if (!isValid) throw refuse(name, `must be a whole number from ${least} to ${most}`);
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  const isOther = typeof value === 'object' && !isPlainObject(value);
  return isOther ? 'other' : typeof value;
}

function checkServiceOption(name: keyof typeof serviceOptions, value: unknown): void {
  const option = serviceOptions[name];
  if (typeof value !== typeof option.default) {
    throw refuse(name, `must be of the type ${typeof option.default}`);
  }
  // An empty text is as none, unless there is a default: one that is given must be one.
  if (value === '' && option.default === '') return;
  if (value === '') throw refuse(name, 'must not be empty');
  const isShort = typeof value === 'number' && value > 0 && value < (shortest[name] ?? 0);
  if (isShort) return;
  try {
    option.read(String(value));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new PlaygroundOptionError(error.message.replace(option.variable, name));
  }
}

/**
 * Checks an identity that is added while the playground runs.
 *
 * @throws PlaygroundOptionError that names the member and the rule
 */
export function checkIdentityPut(identity: unknown): PlaygroundIdentity {
  const checked = checkIdentity(identity);
  const errors = checked.valid ? checkRules(checked.value, []) : [...checked.errors];
  if (!checked.valid || errors.length > 0) throw toOptionError('identity', errors);
  return checked.value;
}

/** The rules of each identity, and that no two have the same name. */
function checkIdentities(identities: readonly PlaygroundIdentity[]): void {
  const seen = [...playgroundIdentities];
  for (const [index, identity] of identities.entries()) {
    const checked = checkIdentity(identity);
    const errors: ValidationError[] = checked.valid
      ? checkRules(checked.value, seen)
      : [...checked.errors];
    if (errors.length > 0) throw toOptionError(`identities[${index}]`, errors);
    seen.push(identity);
  }
}

function checkRules(
  { name, kind, organisation, scopes, granted, ...others }: PlaygroundIdentity,
  seen: readonly PlaygroundIdentity[],
): ValidationError[] {
  const isTaken = seen.some((other) => other.name === name);
  const ofOrganisation = organisationKind(organisation);
  return [
    ...(isTaken
      ? [{ field: 'name', error: `${name} belongs to another identity`, code: 'TAKEN' } as const]
      : []),
    ...(kind === ofOrganisation
      ? []
      : [
          {
            field: 'kind',
            error: `must be ${ofOrganisation} for ${organisation}`,
            code: 'FORMAT',
          } as const,
        ]),
    ...checkScopesOfKind(scopes, ofOrganisation, 'scopes'),
    ...checkScopesOfKind(granted, ofOrganisation, 'granted'),
    ...checkOwnKey(others),
  ];
}

function refuse(option: string, rule: string): PlaygroundOptionError {
  return new PlaygroundOptionError(`${option} ${rule}`);
}
