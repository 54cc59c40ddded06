// Commands that are offered for copying: they name the data folder of the playground, as a terminal needs it.

/** The data folder that the command takes if it is given none. */
const DEFAULT_DATA_FOLDER = '.landfall';

/** A word of a shell's command line. */
export function quote(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Who calls, and from which data folder of a playground; without one, it is the folder that the command takes by itself. */
export type CallerOptions = { identity: string; dataFolder?: string | undefined };

/** The options of the command that name the caller. */
export function callerOptions({
  identity,
  dataFolder = DEFAULT_DATA_FOLDER,
}: CallerOptions): string {
  const data = dataFolder === DEFAULT_DATA_FOLDER ? '' : ` --data ${quote(dataFolder)}`;
  return `--as ${quote(identity)}${data}`;
}

/** The line of a shell that puts a token into the variable `TOKEN`. */
export function tokenLine(caller: CallerOptions): string {
  return `TOKEN=$(npx landfall token create ${callerOptions(caller)} --raw)`;
}

/** The file with the credentials of the caller. */
export function credentialsFile({
  identity,
  dataFolder = DEFAULT_DATA_FOLDER,
}: CallerOptions): string {
  return `${dataFolder.replace(/\/$/, '')}/credentials/${identity}.json`;
}
