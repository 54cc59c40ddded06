// Opens the hosting of a playground, and maintains it every minute.
import type { BackgroundFailures } from '@landfall/service/assembly';
import { HostedSpaces, type HostedSpacesParts } from './hosted-spaces.js';
import { readHostingOptions } from './hosting.js';

const MAINTENANCE_INTERVAL_MS = 60_000;

/** The spaces of a playground that is hosted, with its option. */
export function makeHosting(
  hosted: unknown,
  parts: Omit<HostedSpacesParts, 'options'>,
): HostedSpaces | undefined {
  if (hosted === undefined || hosted === false) return undefined;
  return new HostedSpaces({ ...parts, options: readHostingOptions(hosted) });
}

/** Maintains it from now on; returns a function that ends that. */
export function maintainHosting(hosted: HostedSpaces, failures: BackgroundFailures): () => void {
  const report = failures.reporter(
    'hosted-spaces',
    'spaces are not reset, measured or deleted as they should be; it is tried again in a minute',
  );
  const timer = setInterval(() => {
    hosted.maintain().catch(report);
  }, MAINTENANCE_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
