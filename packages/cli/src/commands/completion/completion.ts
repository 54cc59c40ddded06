// `landfall completion`: prints the script with which a shell completes command lines.
import { Argument, type Command, Option } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { print, write } from '../../output/output.js';
import { type Candidate, findCandidates } from './find-candidates.js';
import { type Shell, scripts, shells } from './scripts.js';

/** Adds the command. */
export function addCompletion(program: Command): void {
  onlyReads(program.command('completion'))
    .description('print a script for the completion of command lines in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .argument('[words...]', 'the words of an incomplete command line, for --words')
    // For the scripts alone.
    .addOption(new Option('--words', 'print what may come next').hideHelp())
    .addHelpText('after', examples)
    .action(complete);
}

const examples = `
Completes nouns, verbs, options and their values, the identities of the playground and the profiles of this user.

Examples:
  $ eval "$(landfall completion bash)"     # in ~/.bashrc
  $ eval "$(landfall completion zsh)"      # in ~/.zshrc, after compinit
  $ landfall completion fish | source      # in ~/.config/fish/config.fish`;

async function complete(
  shell: Shell,
  words: readonly string[],
  options: { words?: true },
  command: Command,
): Promise<void> {
  if (options.words === undefined) {
    write(process.stdout, scripts[shell]);
    return;
  }
  const program = command.parent ?? command;
  for (const candidate of await findCandidates(program, words)) print(format(shell, candidate));
}

/** A candidate in the form that the script of the shell reads. */
function format(shell: Shell, { word, description }: Candidate): string {
  if (shell === 'bash' || description === '') return shell === 'zsh' ? escapeColons(word) : word;
  return shell === 'fish' ? `${word}\t${description}` : `${escapeColons(word)}:${description}`;
}

/** Zsh separates a word from its description by a colon. */
function escapeColons(word: string): string {
  return word.replaceAll(/[\\:]/g, '\\$&');
}
