// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
/** Unicode has symbols for the ASCII control characters, in their order; the one for Delete follows them. */
const FIRST_PICTURE = 0x24_00;
const DELETE = 0x7f;
const PICTURE_OF_DELETE = 0x24_21;

/** Displayed name: each control character becomes visible, so that different names look different. */
export function shownName(name: string): string {
  return name.replace(CONTROLS, (character) => {
    const code = character.codePointAt(0)!;
    if (code === DELETE) return String.fromCodePoint(PICTURE_OF_DELETE);
    if (code < DELETE) return String.fromCodePoint(FIRST_PICTURE + code);
    return `<${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
