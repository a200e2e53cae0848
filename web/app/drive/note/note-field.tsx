import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { driveApi, LIMITS, type File, type Note } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { LISTINGS } from '../drive-data.ts';

/** Pause in typing after which the note is saved. */
const PAUSE_MS = 1200;

/** Note about an item, which is saved while it is written. */
export function NoteField({ file }: { file: Pick<File, 'id' | 'has_note'> }) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const fail = useFailureToast();
  const id = useId();
  const queryKey = ['note', file.id];
  const { data, isPending } = useQuery({
    queryKey,
    queryFn: () => call(driveApi.note, { params: { id: file.id } }),
    enabled: file.has_note === true,
  });
  const [draft, setDraft] = useState<string>();
  const [state, setState] = useState<'saving' | 'saved'>();
  const saving = useRef<Promise<void>>(undefined);
  const known = data?.text ?? '';
  const isLoading = file.has_note === true && isPending;

  const write = async (text: string): Promise<void> => {
    setState('saving');
    try {
      const note = await call(
        driveApi.setNote,
        { params: { id: file.id }, body: { text } },
        { idempotencyKey: randomHex() },
      );
      client.setQueryData<Note>(queryKey, note);
      setDraft((now) => (now === text ? undefined : now));
      setState('saved');
      void client.invalidateQueries({ queryKey: LISTINGS });
    } catch (error) {
      setState(undefined);
      fail(error);
    }
  };
  /** Saves what isn't saved yet, after what is being saved. */
  const save = (): void => {
    if (draft === undefined || draft.trim() === known) return;
    saving.current = (saving.current ?? Promise.resolve()).then(() => write(draft));
  };
  const saveNow = useEffectEvent(save);
  useEffect(() => {
    if (draft === undefined) return undefined;
    const timer = setTimeout(() => saveNow(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => () => saveNow(), []);

  return (
    <section className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-13 font-semibold text-ink-2">
          {t('drive.note.note')}
        </label>
        <span role="status" className="text-12 text-ink-3">
          {state === 'saving'
            ? t('drive.note.saving')
            : state === 'saved' && draft === undefined
              ? t('drive.note.saved')
              : ''}
        </span>
      </div>
      <textarea
        id={id}
        rows={3}
        value={draft ?? known}
        disabled={isLoading}
        maxLength={LIMITS.noteMax}
        placeholder={t('drive.note.add')}
        onChange={(event) => {
          setDraft(event.currentTarget.value);
          setState(undefined);
        }}
        onBlur={save}
        className="field h-auto! min-h-20 resize-y py-2! leading-normal [field-sizing:content]"
      />
    </section>
  );
}
