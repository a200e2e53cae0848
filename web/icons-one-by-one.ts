import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const IMPORT = /import \{([^}]*)\} from 'lucide-react';/g;
const EXPORT = /^export \{([^}]*)\} from '\.\/(icons\/[\w-]+\.mjs)';$/gm;

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
      filter: { id: /\.tsx?$/, code: "from 'lucide-react'" },
      handler: (code) =>
        code.replace(IMPORT, (_, names: string) =>
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
