#!/usr/bin/env node
// Every command of the project starts here. This file uses only what Node 12 supports and loads the rest afterwards, so
// that an old Node gets a clear message instead of a syntax error.

const oldest = 18;

if (Number(process.versions.node.split('.')[0]) < oldest) {
  console.error(
    `[bowerbird] Node ${process.versions.node} is too old: install Node 20 or newer from https://nodejs.org and run this again.`,
  );
  process.exitCode = 1;
} else {
  void import('./commands.mjs').then(({ runCommand }) => runCommand(process.argv.slice(2)));
}
