/** Lines that only Markdown begins with. */
const MARKDOWN = /^(#{1,6} \S|```|[-*] \[[ x]\] |\|.+\|$|> \S)/m;
const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

/** Makes a file of the picture or text in the system's clipboard; returns why there is none otherwise. */
export async function readClipboard(name: string): Promise<File | 'empty' | 'refused'> {
  try {
    const items = await navigator.clipboard.read();
    for (const item of items) {
      const type = PICTURES.find((picture) => item.types.includes(picture));
      if (type)
        return new File([await item.getType(type)], `${name}.${type.slice('image/'.length)}`, { type });
    }
    for (const item of items)
      if (item.types.includes('text/plain'))
        return textFile(await (await item.getType('text/plain')).text(), name);
    return 'empty';
  } catch {
    return 'refused';
  }
}

/** Makes a file of a text: Markdown if it looks like it. */
export function textFile(text: string, name: string): File | 'empty' {
  if (text === '') return 'empty';
  const isMarkdown = MARKDOWN.test(text);
  return new File([text], `${name}.${isMarkdown ? 'md' : 'txt'}`, {
    type: isMarkdown ? 'text/markdown' : 'text/plain',
  });
}
