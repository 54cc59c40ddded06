#!/usr/bin/env node
// The command as npm links it: committed, because npm links on install what is there before the build.
import { runCommand } from '../dist/command/run-command.js';

process.exitCode = await runCommand(process.argv.slice(2));
