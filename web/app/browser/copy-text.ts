/**
 * Copies text to the clipboard. Pages on a local network aren't a secure context and only have the old API.
 * Rejects if the browser refuses.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('copying was refused');
}
