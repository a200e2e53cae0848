import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
const base = `assets/pdf-${version}/`;
const FOLDERS = ['cmaps', 'standard_fonts', 'wasm'];
const WANTED = /\.(?:bcmap|pfb|ttf|wasm)$/;

/**
 * Serves the character maps, standard fonts and decoders that PDFs may ask for by name, under a path that
 * changes only with the version. Pages load them from `/assets/pdf-<version>/`.
 */
export function pdfAssets(): Plugin {
  return {
    name: 'pdf-assets',
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const folder of FOLDERS)
        for (const name of readdirSync(join(home, folder)).filter((name) => WANTED.test(name)))
          this.emitFile({
            type: 'asset',
            fileName: `${base}${folder}/${name}`,
            source: readFileSync(join(home, folder, name)),
          });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${base}`, (request, reply, next) => {
        const [, folder = '', name = ''] = /^\/([a-z_]+)\/([\w.-]+)$/.exec(request.url ?? '') ?? [];
        const file = join(home, folder, name);
        if (!FOLDERS.includes(folder) || !WANTED.test(name) || !existsSync(file)) return next();
        createReadStream(file).pipe(reply);
      });
    },
  };
}
