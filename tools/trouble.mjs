import { statfsSync } from 'node:fs';
import { homedir } from 'node:os';
import { root } from './process.mjs';

// A failure of the launcher, as one sentence that says what to do.

/** With less free space than this, in bytes, a failed step is attributed to the full disk. */
const lowSpace = 64 * 1024 * 1024;
const again = 'then run this again';

/** The sentence to print for an error thrown by a command. */
export function explainTrouble(error) {
  if (error.code === 'ENOENT' && error.syscall === 'spawn npm')
    return `npm is missing: install Node 20 or newer with npm from https://nodejs.org, ${again}.`;
  return explainFileTrouble(error.code, error.path) ?? error.message;
}

/**
 * Explains why `npm ci` failed.
 * @param {string} output what npm printed
 * @param {number} code npm's exit code
 */
export function explainInstallFailure(output, code) {
  const reason = /npm (?:error|ERR!) code (\S+)/.exec(output)?.[1] ?? '';
  const path = /npm (?:error|ERR!) path (.+)/.exec(output)?.[1];
  const address = /https?:\/\/[^\s'")]+/.exec(output.replace(/^.*Log files.*$/gm, ''))?.[0];
  const registry = address ? `the npm registry at ${new URL(address).host}` : 'the npm registry';
  if (unreachable.has(reason))
    return `npm can't reach ${registry} (${reason}): check the network connection and npm's proxy settings, ${again}.`;
  if (/CERT|SSL|SELF_SIGNED|UNABLE_TO_/.test(reason))
    return `npm doesn't trust the certificate of ${registry} (${reason}): set NODE_EXTRA_CA_CERTS to a file with your network's certificate authority, ${again}.`;
  if (/^E[45]\d\d$|^EINTEGRITY$|^ETARGET$/.test(reason))
    return `${capitalized(registry)} refused a package (${reason}): check \`npm config get registry\` and your access to it, ${again}.`;
  return (
    explainFileTrouble(reason, path) ??
    (isDiskFull() ? diskFull(root) : `npm ci failed with exit code ${code}. See its messages above.`)
  );
}

/** Explains why the web app or the server could not be built. */
export const explainBuildFailure = (name) =>
  isDiskFull() ? diskFull(root) : `The ${name} couldn't be built. See the messages above.`;

function explainFileTrouble(code, path = root) {
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(path);
  if (code === 'EROFS')
    return `${path} is on a read-only disk: move the checkout to a writable disk, or install and build it before the disk becomes read-only, ${again}.`;
  if (code === 'EACCES' || code === 'EPERM')
    return path.startsWith(homedir()) && !path.startsWith(root)
      ? `This user isn't allowed to write to ${path}: run \`sudo chown -R "$(id -un)" "${homedir()}/.npm"\`, ${again}.`
      : `This user isn't allowed to write to ${path}: run \`sudo chown -R "$(id -un)" "${root}"\`, ${again}.`;
  return undefined;
}

const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ERR_SOCKET_TIMEOUT',
  'ETIMEDOUT',
]);

const diskFull = (path) =>
  `The disk with ${path} is full: free up at least 2 GB (installing and building need about 1 GB), ${again}.`;

function isDiskFull() {
  try {
    const { bavail, bsize } = statfsSync(root);
    return bavail * bsize < lowSpace;
  } catch {
    return false;
  }
}

const capitalized = (text) => text[0].toUpperCase() + text.slice(1);
