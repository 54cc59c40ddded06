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
import { PlaygroundOptionError, toOptionError } from './option-error.js';
import type { PlaygroundOptions } from './options.js';

/** The options of the playground itself, and the types of their values. */
const ownOptions: Record<Exclude<keyof PlaygroundOptions, keyof Config>, readonly string[]> = {
  data: ['string'],
  dataset: ['string', 'list'],
  identities: ['list'],
  scenarios: ['list'],
  clock: ['object'],
  onProgress: ['function'],
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
    } else if (Object.hasOwn(serviceOptions, name) && name !== 'dataFolder') {
      checkServiceOption(name as keyof typeof serviceOptions, value);
    } else {
      throw refuse(name, 'is no option of a playground');
    }
  }
  checkIdentities(options.identities ?? []);
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
}

function checkServiceOption(name: keyof typeof serviceOptions, value: unknown): void {
  const option = serviceOptions[name];
  if (typeof value !== typeof option.default) {
    throw refuse(name, `must be of the type ${typeof option.default}`);
  }
  const isShort = typeof value === 'number' && value > 0 && value < (shortest[name] ?? 0);
  // An empty text is as none.
  if (value === '' || isShort) return;
  try {
    option.read(String(value));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new PlaygroundOptionError(error.message.replace(option.variable, name));
  }
}

/** The rules of each identity, and that no two have the same name or organisation. */
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
  { name, kind, organisation, scopes, granted }: PlaygroundIdentity,
  others: readonly PlaygroundIdentity[],
): ValidationError[] {
  const taken = (field: 'name' | 'organisation', value: string): ValidationError[] =>
    others.some((other) => other[field] === value)
      ? [{ field, error: `${value} belongs to another identity`, code: 'TAKEN' }]
      : [];
  const ofOrganisation = organisationKind(organisation);
  return [
    ...taken('name', name),
    ...taken('organisation', organisation),
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
  ];
}

function refuse(option: string, rule: string): PlaygroundOptionError {
  return new PlaygroundOptionError(`${option} ${rule}`);
}
