#!/usr/bin/env node
// The command as npm links it: committed, because npm links on install what is there before the build.
import '../dist/bundle/landfall.js';
