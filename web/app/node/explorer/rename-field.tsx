import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type File, splitName } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { isFolder } from '../file-facts.ts';
import { shownName } from '../name/shown-name.ts';
import type { Renaming } from './explorer-props.ts';

/** Inline editor of a name: the stem is selected, Enter and blur save, Esc cancels. */
export function RenameField({ file, renaming }: { file: File; renaming: Renaming }) {
  const t = useT();
  const errorId = useId();
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    const { stem } = isFolder(file) ? { stem: file.name } : splitName(file.name);
    field.current?.focus();
    field.current?.setSelectionRange(0, stem.length);
    // Only on mount: later the user's input and selection are kept.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);

  const cancel = () => {
    isDone.current = true;
    renaming.cancel();
  };

  const submit = async () => {
    if (isDone.current) return;
    const name = field.current!.value;
    if (name === file.name || name.trim() === '') return cancel();
    isDone.current = true;
    setBusy(true);
    const problem = await renaming.submit(name);
    setBusy(false);
    if (problem === undefined) return;
    isDone.current = false;
    setError(problem);
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') void submit();
    else if (event.key === 'Escape') cancel();
    else if (event.key !== 'Tab') return;
    event.preventDefault();
  };

  return (
    <span className="relative z-10 me-3 min-w-0 flex-1">
      <input
        ref={field}
        defaultValue={file.name}
        readOnly={isBusy}
        aria-label={t('node.rename.label', { name: shownName(file.name) })}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        autoComplete="off"
        spellCheck={false}
        onChange={() => setError(undefined)}
        onKeyDown={onKeyDown}
        onBlur={() => void submit()}
        className="h-8 w-full min-w-0 rounded-control border border-blue bg-card px-2 text-ink outline-2 outline-offset-0 outline-blue/30 select-text aria-invalid:border-danger aria-invalid:outline-danger/30 pointer-coarse:text-16"
      />
      {error !== undefined && (
        <span
          id={errorId}
          role="alert"
          className="absolute start-0 top-full mt-1 rounded-control border border-line bg-card px-2 py-1 text-13 font-normal text-danger shadow-float"
        >
          {error}
        </span>
      )}
    </span>
  );
}
