// Unpacks a kept cluster into a folder, in a process of its own: what it takes of memory is given back at its end.
import { extract } from 'tar';

const [file = '', folder = ''] = process.argv.slice(2);
const faults: string[] = [];
try {
  await extract({
    file,
    cwd: folder,
    // A file that cannot be written, such as on a full disk, is left out with a warning.
    onwarn: (code, message) => {
      if (code !== 'TAR_ENTRY_INFO') faults.push(`${code} ${message}`);
    },
  });
} catch (error) {
  faults.push(String(error));
}
const [fault] = faults;
if (fault !== undefined) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
