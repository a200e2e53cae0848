import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Module that the generated one replaces. */
const LOADER = join('server', 'src', 'foundation', 'database', 'load-migration.ts');

/** Compiles migrations into the bundle, each as a file that is only loaded if the migration is applied. */
export function compiledMigrations(root: string): Plugin {
  const folder = join(root, 'server', 'migrations');
  return {
    name: 'compiled-migrations',
    load(id) {
      if (id !== join(root, LOADER)) return null;
      const modules = readdirSync(folder)
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(join(folder, name))})`);
      return `
        import { basename } from 'node:path';
        const migrations = { ${modules.join(', ')} };
        export const loadMigration = (file) => migrations[basename(file)]();
      `;
    },
  };
}
