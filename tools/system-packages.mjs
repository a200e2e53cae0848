import { readFileSync } from 'node:fs';

// Names that system package managers use for the libraries that the bundled Node is linked against.

const managers = [
  { systems: /\b(debian|ubuntu)\b/, install: 'sudo apt-get install', column: 0 },
  { systems: /\b(fedora|rhel|centos)\b/, install: 'sudo dnf install', column: 1 },
  { systems: /\b(suse|opensuse)\b/, install: 'sudo zypper install', column: 2 },
  { systems: /\barch\b/, install: 'sudo pacman -S', column: 3 },
];
const packages = {
  'libatomic.so.1': ['libatomic1', 'libatomic', 'libatomic1', 'gcc-libs'],
  'libstdc++.so.6': ['libstdc++6', 'libstdc++', 'libstdc++6', 'gcc-libs'],
  'libgcc_s.so.1': ['libgcc-s1', 'libgcc', 'libgcc_s1', 'gcc-libs'],
};

/** The Debian packages with these libraries; unknown libraries are left out. */
export const debianPackages = (libraries) =>
  libraries.flatMap((library) => packages[library]?.slice(0, 1) ?? []);

/**
 * The command that installs these libraries on this system, or undefined if unknown.
 * @param {readonly string[]} libraries file names, such as libatomic.so.1
 */
export function installCommand(libraries, release = osRelease()) {
  const ids = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].map(([, words]) => words).join(' ');
  const manager = managers.find(({ systems }) => systems.test(ids));
  const names = libraries.map((library) => packages[library]?.[manager?.column ?? 0]);
  if (!manager || names.includes(undefined)) return undefined;
  return `${manager.install} ${names.join(' ')}`;
}

function osRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}
