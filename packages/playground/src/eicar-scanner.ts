// The scanner of documents of a playground: it finds the file with which everybody tests scanners, and nothing else.
import type { FileScanner } from '@landfall/service/assembly';

/**
 * The test file of EICAR begins with these 68 characters. They are in two parts here, because scanners would find this file
 * too.
 */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(
  '',
);

export const eicarScanner: FileScanner = {
  scan: async (content) =>
    content.toString('latin1', 0, EICAR.length) === EICAR ? 'found' : 'clean',
};
