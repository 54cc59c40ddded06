// Progress on stderr, where a person looks at it: one line that is written over, and gone at the end.

/** How often the line is written, in milliseconds. */
const EVERY = 250;

const CLEAR_LINE = '\r\u001b[K';

/** Progress that is being shown, or would be if somebody looked. */
export type Progress = {
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
  /** Takes the line away for good. */
  end(): void;
};

/** Says a count of messages and how many there were in a second. */
type Rate = (messages: number) => string;

/** @param line what to show; it is asked again and again */
export function showProgress(line: (rate: Rate) => string): Progress {
  if (process.stderr.isTTY !== true) return { clear: () => {}, end: () => {} };
  const started = performance.now();
  const rate: Rate = (messages) => {
    const perSecond = (messages * 1000) / (performance.now() - started);
    return `${grouped(messages)} messages, ${grouped(Math.round(perSecond))}/s`;
  };
  const clear = () => {
    process.stderr.write(CLEAR_LINE);
  };
  const show = () => {
    const room = (process.stderr.columns ?? 80) - 1;
    process.stderr.write(`${CLEAR_LINE}${line(rate).slice(0, room)}`);
  };
  const timer = setInterval(show, EVERY).unref();
  const end = () => {
    clearInterval(timer);
    clear();
  };
  return { clear, end };
}

/** A number with its thousands apart, as a person reads it. */
export function grouped(number: number): string {
  return number.toLocaleString('en');
}
