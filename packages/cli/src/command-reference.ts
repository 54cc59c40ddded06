// The reference of the command, made of the help of its verbs.
import type { Command } from 'commander';

/** How wide the help is, in characters. */
const WIDTH = 90;

/**
 * The reference as Markdown: the command and each of its verbs, with what its help says.
 *
 * @param program the whole command
 */
export function makeCommandReference(program: Command): string {
  const commands = listCommands(program, program.name());
  const contents = commands.map(({ name }) => {
    const words = name.split(' ');
    return `${'  '.repeat(words.length - 1)}- [${name}](#${words.join('-')})`;
  });
  const sections = commands.map(
    ({ name, command }) => `## ${name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`,
  );
  return `# The \`${program.name()}\` command

What \`--help\` says of it and of each of its verbs. This file is generated from there: \`npm run generate\`.

${contents.join('\n')}

${sections.join('\n')}`;
}

type NamedCommand = { name: string; command: Command };

/** The command itself, and each verb before those below it. */
function listCommands(command: Command, name: string): NamedCommand[] {
  return [
    { name, command },
    ...command.commands.flatMap((verb) => listCommands(verb, `${name} ${verb.name()}`)),
  ];
}

/** As it is printed, with the examples that follow it. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return help.trimEnd();
}
