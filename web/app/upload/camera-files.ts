/** Names that cameras give every picture or film. */
const NAMELESS = /^(?:image|img|photo|capture|video|trim|\d+)\.(\w+)$/i;

/**
 * Names what a camera has just taken by its kind and time, if it comes without a name of its own. `nameOf` makes the
 * name, without an extension.
 */
export function cameraFiles(
  files: readonly File[],
  nameOf: (kind: 'photo' | 'video') => string,
): readonly File[] {
  return files.map((file) => {
    const extension = NAMELESS.exec(file.name)?.[1];
    if (extension === undefined) return file;
    const name = `${nameOf(file.type.startsWith('video/') ? 'video' : 'photo')}.${extension.toLowerCase()}`;
    return new File([file], name, { type: file.type, lastModified: file.lastModified });
  });
}
