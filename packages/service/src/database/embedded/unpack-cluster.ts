// Unpacks a kept cluster into a folder, in a process of its own: what it takes of memory is given back at its end.
import { extract } from 'tar';

const [file = '', folder = ''] = process.argv.slice(2);
await extract({ file, cwd: folder });
