// The parameters of the kinds of scenarios as options, made from the schemas.
import { type ScenarioKind, scenarioKind, scenarioKindNames } from '@landfall/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** What the schema of a parameter says. */
type Parameter = { type?: string; enum?: readonly string[]; description?: string };

/** Adds an option for each parameter; kinds that have the same parameter share it. */
export function addParameterOptions(command: Command): Command {
  for (const [name, { kinds, schema }] of listParameters()) {
    const values = schema.type === 'boolean' ? ['yes', 'no'] : schema.enum;
    const option = new Option(
      `--${toOption(name)} <${schema.type === 'integer' ? 'number' : 'value'}>`,
      `${kinds.join(', ')}: ${firstSentence(schema.description ?? '')}`,
    );
    if (values !== undefined) option.choices([...values]);
    else if (schema.type === 'integer') option.argParser(readInteger);
    command.addOption(option);
  }
  return command;
}

/** The parameters among the options, with the types of their schemas. */
export function readParameters(
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, { schema }] of listParameters()) {
    const value = options[name];
    if (value !== undefined) given[name] = schema.type === 'boolean' ? value === 'yes' : value;
  }
  return given;
}

/** The option of a member, without its hyphens in front: `after-seconds` for `afterSeconds`. */
export function toOption(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function listParameters(): Map<string, { kinds: ScenarioKind[]; schema: Parameter }> {
  const found = new Map<string, { kinds: ScenarioKind[]; schema: Parameter }>();
  for (const kind of scenarioKindNames) {
    for (const [name, schema] of Object.entries(scenarioKind(kind).parameters)) {
      const known = found.get(name);
      if (known === undefined) found.set(name, { kinds: [kind], schema });
      else known.kinds.push(kind);
    }
  }
  return found;
}

function firstSentence(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function readInteger(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
