/**
 * Kinds of files as people see them: the category determines the tile, the preview and the position when sorting by
 * type.
 */
export const FILE_CATEGORIES = [
  'folder',
  'image',
  'video',
  'audio',
  'document',
  'sheet',
  'slides',
  'pdf',
  'archive',
  'code',
  'text',
  'torrent',
  'app',
  'book',
  'font',
  'other',
] as const;
export type FileCategory = (typeof FILE_CATEGORIES)[number];

/** [category, MIME type] by extension, without its dot, lower case. */
const KNOWN: ReadonlyMap<string, readonly [FileCategory, string]> = new Map(
  (
    [
      ['image', 'image/jpeg', 'jpg jpeg jpe jfif'],
      ['image', 'image/png', 'png'],
      ['image', 'image/gif', 'gif'],
      ['image', 'image/webp', 'webp'],
      ['image', 'image/avif', 'avif'],
      ['image', 'image/bmp', 'bmp'],
      ['image', 'image/tiff', 'tif tiff'],
      ['image', 'image/svg+xml', 'svg'],
      ['image', 'image/heic', 'heic heif'],
      ['image', 'image/x-icon', 'ico'],
      ['image', 'image/x-raw', 'cr2 cr3 nef arw dng orf rw2'],
      ['video', 'video/mp4', 'mp4 m4v'],
      ['video', 'video/webm', 'webm'],
      ['video', 'video/x-matroska', 'mkv'],
      ['video', 'video/quicktime', 'mov'],
      ['video', 'video/x-msvideo', 'avi'],
      ['video', 'video/mpeg', 'mpg mpeg'],
      ['video', 'video/mp2t', 'm2ts mts'],
      ['video', 'video/x-ms-wmv', 'wmv'],
      ['video', 'video/x-flv', 'flv'],
      ['video', 'video/3gpp', '3gp'],
      ['video', 'video/ogg', 'ogv'],
      ['audio', 'audio/mpeg', 'mp3'],
      ['audio', 'audio/mp4', 'm4a m4b'],
      ['audio', 'audio/flac', 'flac'],
      ['audio', 'audio/ogg', 'ogg oga'],
      ['audio', 'audio/opus', 'opus'],
      ['audio', 'audio/wav', 'wav'],
      ['audio', 'audio/aac', 'aac'],
      ['audio', 'audio/x-ms-wma', 'wma'],
      ['audio', 'audio/midi', 'mid midi'],
      ['document', 'application/msword', 'doc'],
      ['document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
      ['document', 'application/vnd.oasis.opendocument.text', 'odt'],
      ['document', 'application/rtf', 'rtf'],
      ['document', 'application/vnd.apple.pages', 'pages'],
      ['sheet', 'application/vnd.ms-excel', 'xls'],
      ['sheet', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
      ['sheet', 'application/vnd.oasis.opendocument.spreadsheet', 'ods'],
      ['sheet', 'text/csv', 'csv'],
      ['sheet', 'text/tab-separated-values', 'tsv'],
      ['sheet', 'application/vnd.apple.numbers', 'numbers'],
      ['slides', 'application/vnd.ms-powerpoint', 'ppt'],
      ['slides', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
      ['slides', 'application/vnd.oasis.opendocument.presentation', 'odp'],
      ['slides', 'application/vnd.apple.keynote', 'key'],
      ['pdf', 'application/pdf', 'pdf'],
      ['archive', 'application/zip', 'zip'],
      ['archive', 'application/x-7z-compressed', '7z'],
      // Not the registered type, but the one by which clients recognize archives that can be extracted.
      ['archive', 'application/x-rar-compressed', 'rar'],
      ['archive', 'application/x-tar', 'tar'],
      ['archive', 'application/gzip', 'gz tgz'],
      ['archive', 'application/x-bzip2', 'bz2 tbz2'],
      ['archive', 'application/x-xz', 'xz txz'],
      ['archive', 'application/zstd', 'zst'],
      ['archive', 'application/x-iso9660-image', 'iso'],
      ['code', 'text/javascript', 'js mjs cjs jsx'],
      ['code', 'text/x-typescript', 'ts tsx'],
      ['code', 'text/html', 'html htm xhtml'],
      ['code', 'text/css', 'css scss less'],
      ['code', 'application/json', 'json jsonl geojson'],
      ['code', 'application/xml', 'xml xsl rss atom'],
      ['code', 'text/x-python', 'py'],
      ['code', 'text/x-c', 'c h cpp hpp cc'],
      ['code', 'text/x-java', 'java kt kts'],
      ['code', 'text/x-go', 'go'],
      ['code', 'text/x-rust', 'rs'],
      ['code', 'text/x-ruby', 'rb'],
      ['code', 'text/x-php', 'php'],
      ['code', 'text/x-shellscript', 'sh bash zsh fish ps1 bat'],
      ['code', 'text/x-sql', 'sql'],
      ['code', 'text/yaml', 'yaml yml'],
      ['code', 'text/x-toml', 'toml ini conf cfg'],
      ['code', 'text/x-source', 'swift lua pl r dart vue svelte cs diff patch'],
      ['text', 'text/plain', 'txt text log'],
      ['text', 'text/markdown', 'md markdown'],
      ['text', 'application/x-subrip', 'srt'],
      ['text', 'text/vtt', 'vtt'],
      ['text', 'text/x-ssa', 'ass ssa'],
      ['text', 'text/x-nfo', 'nfo'],
      ['torrent', 'application/x-bittorrent', 'torrent'],
      ['app', 'application/vnd.android.package-archive', 'apk xapk'],
      ['app', 'application/x-msdownload', 'exe msi'],
      ['app', 'application/x-apple-diskimage', 'dmg'],
      ['app', 'application/vnd.debian.binary-package', 'deb'],
      ['app', 'application/x-rpm', 'rpm'],
      ['app', 'application/x-appimage', 'appimage'],
      ['app', 'application/octet-stream', 'ipa'],
      ['book', 'application/epub+zip', 'epub'],
      ['book', 'application/x-mobipocket-ebook', 'mobi azw azw3'],
      ['book', 'application/vnd.comicbook+zip', 'cbz cbr'],
      ['font', 'font/ttf', 'ttf'],
      ['font', 'font/otf', 'otf'],
      ['font', 'font/woff', 'woff'],
      ['font', 'font/woff2', 'woff2'],
    ] as const
  ).flatMap(([category, mime, extensions]) =>
    extensions.split(' ').map((extension) => [extension, [category, mime]] as const),
  ),
);

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

const knownOf = (name: string): readonly [FileCategory, string] | undefined => KNOWN.get(extensionOf(name));

const UNKNOWN = ['other', 'application/octet-stream'] as const;

/** Everything that a file's name reveals about its content, as the functions below return it one by one. */
export function fileTypeOf(name: string): { category: FileCategory; mime: string; extension: string } {
  const extension = extensionOf(name);
  const [category, mime] = KNOWN.get(extension) ?? UNKNOWN;
  return { category, mime, extension: extension === '' ? '' : `.${extension}` };
}

/**
 * MIME type based on a file's name; `application/octet-stream` if unknown. Never trusted for content that a browser
 * might run.
 */
export function mimeOf(name: string): string {
  return knownOf(name)?.[1] ?? UNKNOWN[1];
}

/** Category based on a file's name, or on the MIME type's family if the name reveals nothing. */
export function categoryOf(name: string, mime = ''): FileCategory {
  const known = knownOf(name);
  if (known) return known[0];
  const family = mime.split('/')[0];
  return family === 'image' || family === 'video' || family === 'audio' || family === 'font'
    ? family
    : family === 'text'
      ? 'text'
      : 'other';
}

/** Extension with its dot (`.jpg`), as sent on the wire, or "". */
export function fileExtension(name: string): string {
  const extension = extensionOf(name);
  return extension === '' ? '' : `.${extension}`;
}
