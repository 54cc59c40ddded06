// Commands by their names in version 0.1: they keep working for one version, with a notice. Then this file is deleted.

/** The beginning of a command line, and what it is now. The first that fits applies. */
const renamed: readonly [old: string, now: string][] = [
  ['authority find', 'consignment list'],
  ['authority history', 'consignment view'],
  ['authority profile put', 'routing-profile create'],
  ['authority profile', 'routing-profile'],
  ['feed current', 'feed list'],
  ['feed tail', 'feed follow'],
  ['feed publish', 'feed import'],
  ['organisations grant', 'admin bootstrap'],
  ['migrate', 'admin migrate'],
  ['keys', 'admin keys'],
  ['audit', 'admin audit'],
];

/** A command line in the current grammar, and if it was not, the old and the new name. */
export type Renamed = { words: string[]; old?: string; now?: string };

/** The groups whose `follow` had the option `--from`. */
const followed = ['routing', 'status', 'feed'];

/** Translates a command line; one in the current grammar is unchanged. */
export function translateOldName(words: readonly string[]): Renamed {
  const renamed = renameCommand(words);
  const [noun = '', verb] = renamed.words;
  if (verb !== 'follow' || !followed.includes(noun)) return renamed;
  return renameFrom(renamed);
}

function renameCommand(words: readonly string[]): Renamed {
  for (const [old, now] of renamed) {
    const length = old.split(' ').length;
    if (words.slice(0, length).join(' ') === old) {
      return rename(old, now, words.slice(length));
    }
  }
  const [noun, ...rest] = words;
  if (noun === 'authority' && rest[0] === 'organisations') return organisations(rest.slice(1));
  if (noun === 'status' && !startsWith(rest, ['list', 'view', 'follow'])) return status(rest);
  if (noun === 'routing' && !startsWith(rest, ['list', 'follow'])) return routing(rest);
  if (noun === 'token' && !startsWith(rest, ['create', 'doctor'])) {
    return rename('token', 'token create', rest);
  }
  return { words: [...words] };
}

/** The option `--from` of `follow` is `--marker`, as in `list`. */
function renameFrom(command: Renamed): Renamed {
  const { words } = command;
  const index = words.findIndex((word) => /^--from(=|$)/.test(word));
  if (index < 0) return command;
  const name = words.slice(0, 2).join(' ');
  return {
    words: words.map((word, each) => (each === index ? word.replace('--from', '--marker') : word)),
    old: `${command.old ?? name} --from`,
    now: `${name} --marker`,
  };
}

/** Whether the words are a verb of a group or ask for its help. */
function startsWith([first = '']: readonly string[], verbs: readonly string[]): boolean {
  return [...verbs, 'help', '--help', '-h'].includes(first);
}

function status(rest: readonly string[]): Renamed {
  const index = positionOfArgument(rest);
  const reference = rest[index];
  const others = rest.filter((_, each) => each !== index);
  if (reference === undefined) return rename('status', 'status list', others);
  return /^[0-9a-f-]{36}$/i.test(reference)
    ? rename('status', 'status view', [reference, ...others])
    : rename('status', 'status list', ['--mrn', reference, ...others]);
}

function routing(rest: readonly string[]): Renamed {
  return rest.includes('--follow')
    ? rename(
        'routing --follow',
        'routing follow',
        rest.filter((word) => word !== '--follow'),
      )
    : rename('routing', 'routing list', rest);
}

const changes = ['--name', '--grant', '--revoke', '--block', '--unblock'];

function organisations(rest: readonly string[]): Renamed {
  const old = 'authority organisations';
  // An option may have its value behind `=`.
  const isChange = rest.some((word) => changes.includes(word.replace(/=.*/s, '')));
  return isChange
    ? rename(old, 'organisation update', rest, ['--or-create'])
    : rename(old, 'organisation view', rest);
}

function rename(
  old: string,
  now: string,
  rest: readonly string[],
  hidden: readonly string[] = [],
): Renamed {
  return { words: [...now.split(' '), ...hidden, ...rest], old, now };
}

/** Options of `status` without a value. */
const flags = ['--json'];

/** The index of the first word that is neither an option nor the value of one; -1 if there is none. */
function positionOfArgument(words: readonly string[]): number {
  return words.findIndex((word, index) => {
    const before = words[index - 1] ?? '';
    const isValue = before.startsWith('--') && !before.includes('=') && !flags.includes(before);
    return !word.startsWith('-') && !isValue;
  });
}
