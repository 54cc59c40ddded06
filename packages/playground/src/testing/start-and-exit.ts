// A program that starts two playgrounds, and exits without closing them once it has sent how many files they have.
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { startPlayground } from '../index.js';

await Promise.all([startPlayground(), startPlayground()]);
const temporaryFiles = (await readdir(tmpdir())).length;
process.send?.({ temporaryFiles }, () => process.exit(0));
