import { useRef, type KeyboardEvent, type Ref } from 'react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { announce } from '#app/ui/live-region.tsx';
import { indent } from './indenting.ts';

/**
 * Field of a text. Tab indents; after Esc, Tab moves on as in other fields, so that nobody is caught in it. A second
 * Esc leaves the editor.
 */
export function TextArea({
  label,
  text,
  wraps,
  onText,
  ref,
}: {
  label: string;
  text: string;
  wraps: boolean;
  onText: (text: string) => void;
  ref: Ref<HTMLTextAreaElement>;
}) {
  const t = useT();
  const leaves = useRef(false);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const field = event.currentTarget;
    if (event.key === 'Escape' && !leaves.current) {
      event.preventDefault();
      leaves.current = true;
      announce(t('drive.editor.tabLeaves'));
      return;
    }
    if (event.key !== 'Tab' || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key.length === 1) leaves.current = false;
      return;
    }
    if (leaves.current) return;
    event.preventDefault();
    const { selectionStart, selectionEnd, value } = field;
    const change = indent(value, selectionStart, selectionEnd, event.shiftKey);
    if (!change) return;
    field.setSelectionRange(change.from, change.to);
    // The only way to change a text so that the browser can undo it.
    const isDone =
      change.text === ''
        ? document.execCommand('delete')
        : document.execCommand('insertText', false, change.text);
    if (!isDone) {
      field.setRangeText(change.text, change.from, change.to);
      onText(field.value);
    }
    field.setSelectionRange(...change.selection);
  };
  return (
    <textarea
      ref={ref}
      aria-label={label}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onFocus={() => {
        leaves.current = false;
      }}
      dir="auto"
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      className={cx(
        'size-full resize-none bg-paper px-6 py-4 font-mono text-14 leading-6 text-ink outline-none max-md:px-4 max-md:text-16',
        '[tab-size:4]',
        wraps ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'overflow-x-auto whitespace-pre',
      )}
    />
  );
}
