import { useEffect, useRef, useState } from 'react';
import { isApiFailure, LIMITS } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { drafts } from './draft.ts';
import { PLAIN, writeText, type TextForm } from './text-content.ts';
import type { TextFile } from './use-opened-text.ts';
import { useSaving } from './use-saving.ts';

export interface Editing {
  readonly opened: TextFile;
}

/** A text that is being edited, and what happens to it. */
export interface OpenDocument {
  readonly text: string;
  readonly form: TextForm;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly savedAt: number | undefined;
  /** When the unsaved changes were made that are shown; undefined if they are of now. */
  readonly restoredAt: number | undefined;
  readonly error: string | undefined;
  /** Question that a save has to be answered before: about somebody else's content, or about the encoding. */
  readonly asked: 'conflict' | 'encoding' | undefined;
  change(text: string): void;
  save(how?: { overwrite?: boolean; asUtf8?: boolean }): Promise<void>;
  /** Saves the text as another file beside it. Returns false if that failed. */
  saveCopy(): Promise<boolean>;
  /** Returns to the content that is saved. */
  discard(): void;
  answerLater(): void;
}

const DRAFT_MS = 800;

export function useDocument({ opened }: Editing): OpenDocument {
  const t = useT();
  const format = useFormat();
  const errorText = useErrorText();
  const { save, create } = useSaving();
  const { file } = opened;
  const [draft] = useState(() => {
    const found = drafts.find(file.id);
    return found && found.text !== opened.text ? found : undefined;
  });
  const [text, setText] = useState(draft?.text ?? opened.text);
  const [form, setForm] = useState(opened.form);
  const [saved, setSaved] = useState({ text: opened.text, hash: file.hash });
  // A restored text is based on what it was made from: saving it finds out whether somebody else saved since.
  const [base, setBase] = useState(draft?.base ?? file.hash);
  const [restoredAt, setRestoredAt] = useState(draft?.at);
  const [savedAt, setSavedAt] = useState<number>();
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const [asked, setAsked] = useState<'conflict' | 'encoding'>();
  const isDirty = text !== saved.text;
  const present = useRef(text);
  useEffect(() => {
    present.current = text;
  });

  useEffect(() => {
    if (!isDirty) {
      drafts.forget(file.id);
      return undefined;
    }
    const keeping = setTimeout(() => drafts.keep(file.id, { text, base, at: Date.now() }), DRAFT_MS);
    const stay = (event: BeforeUnloadEvent): void => {
      drafts.keep(file.id, { text, base, at: Date.now() });
      event.preventDefault();
    };
    addEventListener('beforeunload', stay);
    return () => {
      clearTimeout(keeping);
      removeEventListener('beforeunload', stay);
    };
  }, [text, base, isDirty, file.id]);

  /** Returns the bytes to save; undefined if there are none to save yet. */
  function bytesOf(content: string, as: TextForm): Uint8Array | undefined {
    const bytes = writeText(content, as);
    if (!bytes) setAsked('encoding');
    else if (bytes.length > LIMITS.editBytes)
      setError(t('drive.editor.large', { size: format.bytes(LIMITS.editBytes) }));
    else return bytes;
    return undefined;
  }

  async function saving(work: () => Promise<void>): Promise<boolean> {
    setSaving(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (failure) {
      if (isApiFailure(failure) && failure.id === 'content_changed') setAsked('conflict');
      else setError(errorText(failure));
      return false;
    } finally {
      setSaving(false);
    }
  }

  return {
    text,
    form,
    isDirty,
    isSaving,
    savedAt,
    restoredAt: isDirty ? restoredAt : undefined,
    error,
    asked,
    change: setText,
    async save({ overwrite = false, asUtf8 = false } = {}) {
      if (isSaving || !isDirty) return;
      setAsked(undefined);
      const content = present.current;
      const as = asUtf8 ? { ...PLAIN, lineEnding: form.lineEnding } : form;
      const bytes = bytesOf(content, as);
      if (!bytes) return;
      await saving(async () => {
        const now = await save(file.id, bytes, overwrite ? '*' : base);
        setForm(as);
        setSaved({ text: content, hash: now.hash });
        setBase(now.hash);
        setRestoredAt(undefined);
        setSavedAt(Date.now());
      });
    },
    async saveCopy() {
      setAsked(undefined);
      const bytes = bytesOf(present.current, form);
      if (!bytes) return false;
      return saving(async () => {
        const made = await create(file.parent_id, file.name, bytes, { mayNumber: true });
        drafts.forget(file.id);
        toast.show({ text: t('drive.editor.copied', { name: shownName(made.name) }) });
      });
    },
    discard() {
      setText(saved.text);
      setBase(saved.hash);
      setRestoredAt(undefined);
      drafts.forget(file.id);
    },
    answerLater: () => setAsked(undefined),
  };
}
