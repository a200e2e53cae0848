/** Extensions (and whole names of files that have none) by the language whose rules color them. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  javascript: 'js mjs cjs jsx',
  typescript: 'ts tsx',
  xml: 'html htm xhtml xml xsl rss atom svg vue svelte',
  css: 'css',
  scss: 'scss',
  less: 'less',
  json: 'json jsonl geojson',
  python: 'py',
  c: 'c h',
  cpp: 'cpp hpp cc',
  csharp: 'cs',
  java: 'java',
  kotlin: 'kt kts',
  go: 'go',
  rust: 'rs',
  ruby: 'rb',
  php: 'php',
  bash: 'sh bash zsh fish',
  powershell: 'ps1',
  dos: 'bat',
  sql: 'sql',
  yaml: 'yaml yml',
  ini: 'toml ini conf cfg',
  swift: 'swift',
  lua: 'lua',
  perl: 'pl',
  r: 'r',
  dart: 'dart',
  diff: 'diff patch',
  markdown: 'md markdown',
  makefile: 'makefile',
  dockerfile: 'dockerfile',
};

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
);

/** Language of a file by its name; `undefined` for text without a known syntax. */
export function languageOf(name: string): string | undefined {
  return LANGUAGES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
