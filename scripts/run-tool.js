// Runs a tool of the workspace `tools/`, which `npm ci` does not install: node scripts/run-tool.js biome check .
import { spawnSync } from 'node:child_process';
import { toolPath } from './tool-path.js';

const [name = '', ...options] = process.argv.slice(2);
const { status, error } = spawnSync(toolPath(name), options, { stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
