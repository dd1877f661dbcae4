#!/usr/bin/env node
// npm links commands before anything is built, and only those whose file is there.
import '../dist/cli.js'
