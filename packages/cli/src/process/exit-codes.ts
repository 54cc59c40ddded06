// The exit codes of the command: the one list from which its help, its reference and its errors have them.

/** How a command ended. */
export type Ending = keyof typeof exitCodes;

export const exitCodes = {
  SUCCESS: { code: 0, meaning: 'success' },
  FAILED: { code: 1, meaning: 'refused by the service, or failed for a reason that stays' },
  USAGE: { code: 2, meaning: 'wrong usage' },
  UNREACHABLE: {
    code: 3,
    meaning:
      'the service or the identity provider cannot be reached or is overloaded; nothing was changed by the request that failed',
  },
  UNKNOWN: {
    code: 4,
    meaning:
      'the response to a request that changes data was lost: it is not known whether it was carried out',
  },
  PENDING: { code: 5, meaning: 'the time of --within is over' },
  HUNG_UP: { code: 129, meaning: 'ended with SIGHUP: its terminal was closed' },
  INTERRUPTED: { code: 130, meaning: 'interrupted with Ctrl-C' },
  CLOSED_PIPE: {
    code: 141,
    meaning:
      'the output could not be written, or its reader closed it, before a command that changes data had ended',
  },
  TERMINATED: { code: 143, meaning: 'ended with SIGTERM' },
} as const;

/** The list for the help: one line for each code. */
export function describeExitCodes(): string {
  return Object.values(exitCodes)
    .map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`)
    .join('\n');
}
