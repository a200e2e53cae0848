import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const IMPORT = /import \{([^}]*)\} from 'lucide-react';/g;
const EXPORT = /^export \{([^}]*)\} from '\.\/(icons\/[\w-]+\.mjs)';$/gm;

/** Parts of an icon's module: the function that creates its component, its name and size, and the random keys of shapes. */
const FACTORY = /from '\.\.\/createLucideIcon\.mjs'/;
const NAME_AND_SIZE = /^ {2}(?:name: "[\w-]+"|size: 24|aliases: \[[^\]]*\]),\n/gm;
const KEY = /\bkey: "\w+"/g;

/**
 * Makes a module of the library create its icon with our own function (icon-component.ts), and removes what that doesn't
 * need. Random keys don't compress, and only have to differ within the icon.
 */
export function leanIcon(code: string): string {
  if (!FACTORY.test(code)) throw new Error('lucide-react creates its icons in another way');
  let keys = 0;
  return code
    .replace(FACTORY, `from ${JSON.stringify(join(import.meta.dirname, 'icon-component.ts'))}`)
    .replace(NAME_AND_SIZE, '')
    .replace(KEY, () => `key: ${keys++}`);
}

/**
 * Rewrites imports of icons to their own modules. Through the library's single entry point, every page would
 * depend on the icons of all others.
 */
export function iconsOneByOne(): Plugin {
  const library = join(dirname(createRequire(import.meta.url).resolve('lucide-react')), '../esm');
  const moduleOf = new Map<string, string>();
  for (const [, names, file] of readFileSync(join(library, 'lucide-react.mjs'), 'utf8').matchAll(EXPORT))
    for (const [, name] of names!.matchAll(/default as (\w+)/g)) moduleOf.set(name!, join(library, file!));

  const alone = (asked: string): string => {
    // All other imports are types, which must not import that entry point either.
    if (asked.startsWith('type '))
      return `import type { ${asked.slice('type '.length)} } from 'lucide-react';`;
    const [name = '', called = name] = asked.split(' as ');
    const file = moduleOf.get(name);
    if (!file) throw new Error(`There is no icon ${name}`);
    return `import ${called} from ${JSON.stringify(file)};`;
  };
  return {
    name: 'icons-one-by-one',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { code: /from 'lucide-react'|\b__iconData\b/ },
      handler: (code, id) =>
        id.endsWith('.mjs')
          ? leanIcon(code)
          : code.replace(IMPORT, (_, names: string) =>
              names
                .split(',')
                .map((name) => name.trim())
                .filter(Boolean)
                .map(alone)
                .join(' '),
            ),
    },
  };
}
